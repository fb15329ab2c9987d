import type { MessageInitShape } from '@bufbuild/protobuf'
import { present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import { type CommandAttemptSchema, CommandAttemptState } from '@storekeep/proto/delivery/v1/delivery_item'
import type { CommandStatusSchema } from '@storekeep/proto/delivery/v1/item_status'
import { stageToProto } from '../mappers.ts'
import type { AttemptRow } from './db/schema.ts'
import type { AttemptState } from './domain/attempt.ts'

export function attemptToProto(row: AttemptRow): MessageInitShape<typeof CommandAttemptSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    itemId: row.itemId,
    gameServerId: row.gameServerId,
    steamId: row.steamId,
    minecraftUuid: row.minecraftUuid,
    customerName: row.customerName,
    customerId: row.customerId,
    stage: stageToProto[row.stage],
    command: row.command,
    onlineOnly: row.onlineOnly,
    rerun: row.originalId !== null,
    queuedAt: timestampFromDate(row.queuedAt),
    dueAt: timestampFromDate(row.dueAt),
    executedAt: timestampOrAbsent(row.executedAt),
    executedByIp: row.executedByIp,
    unqueuedAt: timestampOrAbsent(row.unqueuedAt),
    state: stateToProto[row.state],
    missingPlaceholders: [...row.missingPlaceholders],
    givenOutCount: row.givenOutCount,
    stuckAt: timestampOrAbsent(row.stuckAt),
    requiredSlots: row.requiredSlots,
    version: BigInt(row.version),
  })
}

/** What shoppers see of an attempt. */
export function commandStatusToProto(row: AttemptRow): MessageInitShape<typeof CommandStatusSchema> {
  return {
    gameServerId: row.gameServerId,
    stage: stageToProto[row.stage],
    state: stateToProto[row.state],
    onlineOnly: row.onlineOnly,
    dueAt: timestampFromDate(row.dueAt),
    missingPlaceholders: [...row.missingPlaceholders],
    stuck: row.stuckAt !== null,
    requiredSlots: row.requiredSlots,
  }
}

const stateToProto = {
  pending: CommandAttemptState.PENDING,
  blocked: CommandAttemptState.BLOCKED,
  executed: CommandAttemptState.EXECUTED,
  unqueued: CommandAttemptState.UNQUEUED,
} as const satisfies Record<AttemptState, CommandAttemptState>
