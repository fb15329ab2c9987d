import { type Columns, selectColumns } from '@storekeep/common/postgres'
import type { AttemptState, NewAttempt } from '../domain/attempt.ts'

/** A command for one game server. Ids are int8 and therefore strings. */
export interface AttemptRow extends NewAttempt {
  id: string
  state: AttemptState
  /** When its last lease ends or ended; null if it was never given out. */
  leasedUntil: Date | null
  firstGivenOutAt: Date | null
  givenOutCount: number
  stuckAt: Date | null
  executedAt: Date | null
  executedByIp: string | null
  unqueuedAt: Date | null
  version: string
}

/** The columns of a new attempt. */
export const newAttemptFields = {
  storeId: 'store_id',
  itemId: 'item_id',
  gameServerId: 'game_server_id',
  customerId: 'customer_id',
  stage: 'stage',
  template: 'template',
  command: 'command',
  missingPlaceholders: 'missing_placeholders',
  onlineOnly: 'online_only',
  requiredSlots: 'required_slots',
  originalId: 'original_id',
  onceId: 'once_id',
  steamId: 'steam_id',
  minecraftUuid: 'minecraft_uuid',
  customerName: 'customer_name',
  queuedAt: 'queued_at',
  dueAt: 'due_at',
} as const satisfies Columns<keyof NewAttempt>

/** The columns of an AttemptRow. */
export const attemptColumns = selectColumns({
  id: 'id',
  ...newAttemptFields,
  state: 'state',
  leasedUntil: 'leased_until',
  firstGivenOutAt: 'first_given_out_at',
  givenOutCount: 'given_out_count',
  stuckAt: 'stuck_at',
  executedAt: 'executed_at',
  executedByIp: 'executed_by_ip',
  unqueuedAt: 'unqueued_at',
  version: 'version',
} as const satisfies Columns<keyof AttemptRow>)

/** Identifies a game server. */
export interface ServerKey {
  storeId: string
  gameServerId: string
}
