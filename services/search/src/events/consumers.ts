import type { ConsumerParts } from '@storekeep/common/service'
import type { AppContext } from '../context.ts'
import { onRecordsChanged } from './on-records-changed.ts'

/** All events of all services; those that tell of nothing that is searched are passed over. */
export function consumers(ctx: AppContext): ConsumerParts[] {
  return [{ name: 'search-index', filterSubject: '>', handlers: [onRecordsChanged(ctx)], deliver: 'newest' }]
}
