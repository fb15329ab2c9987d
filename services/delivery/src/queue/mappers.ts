import type { MessageInitShape } from '@bufbuild/protobuf'
import { present, timestampFromDate } from '@storekeep/common/message'
import type { QueuedCommandSchema } from '@storekeep/proto/delivery/v1/command_queue_service'
import type { AttemptRow } from '../attempts/db/schema.ts'

export function queuedCommandToProto(row: AttemptRow): MessageInitShape<typeof QueuedCommandSchema> {
  return present({
    attemptId: row.id,
    command: row.command,
    onlineOnly: row.onlineOnly,
    queuedAt: timestampFromDate(row.queuedAt),
    steamId: row.steamId,
    minecraftUuid: row.minecraftUuid,
    customerName: row.customerName,
    requiredSlots: row.requiredSlots,
  })
}
