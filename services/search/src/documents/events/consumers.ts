import type { ConsumerParts } from '@storekeep/common/events'
import type { AppContext } from '../../context.ts'
import { onRecordsChanged } from './on-records-changed.ts'

/** Receives the events of all services; events without a searchable record are skipped. */
export function consumers(ctx: AppContext): ConsumerParts[] {
  return [{ name: 'search-index', filterSubject: '>', handlers: [onRecordsChanged(ctx)], deliver: 'newest' }]
}
