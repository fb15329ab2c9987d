import type { ConsumerParts } from '@storekeep/common/service'
import type { AppContext } from '../context.ts'
import { kinds } from '../kinds/index.ts'
import { onRecordChanged } from './on-record-changed.ts'

/** All events of all services; those that tell of nothing that is searched are passed over. */
export function consumers(ctx: AppContext): ConsumerParts[] {
  const handlers = kinds.flatMap((kind) => kind.events.map((event) => onRecordChanged(ctx, kind, event)))
  return [{ name: 'search-index', filterSubject: '>', handlers, deliver: 'newest' }]
}
