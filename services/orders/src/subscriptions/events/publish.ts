import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import {
  SubscriptionCanceledSchema,
  SubscriptionCreatedSchema,
  SubscriptionRenewedSchema,
  SubscriptionUpdatedSchema,
} from '@storekeep/proto/orders/v1/events'
import type { Subscription } from '../domain/subscription.ts'
import { subscriptionToProto } from '../mappers.ts'

/** Every event carries the subscription after the change. A subscription has no personal data. */
const aggregate = defineAggregate('orders', 'subscription')

export async function publishStarted(tx: Transaction, row: Subscription, cause: Cause): Promise<void> {
  const message = { subscription: subscriptionToProto(row) }
  await aggregate.publish(tx, row, cause, { verb: 'created', schema: SubscriptionCreatedSchema, message })
}

export async function publishRenewed(tx: Transaction, row: Subscription, orderId: string, cause: Cause): Promise<void> {
  const message = { subscription: subscriptionToProto(row), orderId }
  await aggregate.publish(tx, row, cause, { verb: 'renewed', schema: SubscriptionRenewedSchema, message })
}

/** Publishes a changed or ended subscription. An ended subscription can still change: its last invoice may be paid late. */
export async function publishChanged(
  tx: Transaction,
  before: Subscription,
  row: Subscription,
  cause: Cause,
): Promise<void> {
  const message = { subscription: subscriptionToProto(row) }
  if (row.status === 'canceled' && before.status !== 'canceled') {
    await aggregate.publish(tx, row, cause, { verb: 'canceled', schema: SubscriptionCanceledSchema, message })
  } else {
    await aggregate.publish(tx, row, cause, { verb: 'updated', schema: SubscriptionUpdatedSchema, message })
  }
}
