import { type Cause, defineAggregate } from '@storekeep/common/events'
import { timestampFromDate } from '@storekeep/common/message'
import type { Transaction } from '@storekeep/common/postgres'
import {
  CustomerJoinedSchema,
  DeliveryCommandExecutedSchema,
  DeliveryCommandStuckSchema,
} from '@storekeep/proto/delivery/v1/events'
import type { AttemptRow } from '../../attempts/db/schema.ts'
import { attemptToProto } from '../../attempts/mappers.ts'
import type { JoinRow } from '../db/join-repository.ts'

const command = defineAggregate('delivery', 'delivery_command')
const customer = defineAggregate('delivery', 'customer')

export async function publishCommandExecuted(tx: Transaction, row: AttemptRow, cause: Cause): Promise<void> {
  const message = { attempt: attemptToProto(row) }
  await command.publish(tx, row, cause, { verb: 'executed', schema: DeliveryCommandExecutedSchema, message })
}

export async function publishCommandStuck(tx: Transaction, row: AttemptRow, cause: Cause): Promise<void> {
  const message = { attempt: attemptToProto(row) }
  await command.publish(tx, row, cause, { verb: 'stuck', schema: DeliveryCommandStuckSchema, message })
}

/** The version of the event is its time: joins have no versions, and the later one counts. */
export async function publishCustomerJoined(tx: Transaction, join: JoinRow, cause: Cause): Promise<void> {
  const { storeId, customerId, gameServerId, joinedAt } = join
  const message = { customerId, gameServerId, joinedAt: timestampFromDate(joinedAt) }
  const row = { id: customerId, storeId, version: joinedAt.getTime() }
  await customer.publish(tx, row, cause, { verb: 'joined', schema: CustomerJoinedSchema, message })
}
