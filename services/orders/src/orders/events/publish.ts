import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import {
  OrderChargedBackSchema,
  OrderCreatedSchema,
  OrderRefundedSchema,
  OrderUpdatedSchema,
} from '@storekeep/proto/orders/v1/events'
import type { RefundSchema } from '@storekeep/proto/orders/v1/order'
import type { OrderRow } from '../db/order-repository.ts'
import { orderToProto } from '../mappers.ts'

/**
 * Every event carries the order after the change, but of the shopper's details only whether there are any: events are kept in
 * the outbox and the stream, where personal data cannot be deleted one by one.
 */
const order = defineAggregate('orders', 'order')

export async function publishCreated(tx: Transaction, row: OrderRow, cause: Cause): Promise<void> {
  await order.publish(tx, row, cause, { verb: 'created', schema: OrderCreatedSchema, message: { order: inEvent(row) } })
}

export async function publishRefunded(
  tx: Transaction,
  row: OrderRow,
  refund: MessageInitShape<typeof RefundSchema>,
  cause: Cause,
): Promise<void> {
  const message = { order: inEvent(row), refund }
  await order.publish(tx, row, cause, { verb: 'refunded', schema: OrderRefundedSchema, message })
}

export async function publishChargedBack(
  tx: Transaction,
  row: OrderRow,
  banCustomer: boolean,
  cause: Cause,
): Promise<void> {
  const message = { order: inEvent(row), banCustomer }
  await order.publish(tx, row, cause, { verb: 'charged_back', schema: OrderChargedBackSchema, message })
}

export async function publishUpdated(tx: Transaction, row: OrderRow, cause: Cause): Promise<void> {
  await order.publish(tx, row, cause, { verb: 'updated', schema: OrderUpdatedSchema, message: { order: inEvent(row) } })
}

function inEvent(row: OrderRow) {
  return orderToProto({ ...row, billingDetails: row.billingDetails && {} })
}
