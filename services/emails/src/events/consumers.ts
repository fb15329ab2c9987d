import { type ConsumerParts, type EventHandler, onEvent } from '@storekeep/common/events'
import {
  OrderCreatedSchema,
  OrderRefundedSchema,
  SubscriptionCanceledSchema,
  SubscriptionUpdatedSchema,
} from '@storekeep/proto/orders/v1/events'
import type { AppContext } from '../context.ts'
import { emailOfRefund, emailsOfOrder, emailsOfSubscription } from '../domain/causes.ts'
import { changedSubscriptionFromProto, paidOrderFromProto } from '../mappers.ts'
import { addEmails } from '../steps/add-emails.ts'

/** The events about which customers receive emails. */
export function emailConsumers(ctx: AppContext): ConsumerParts[] {
  return [
    {
      name: 'emails-orders',
      filterSubject: 'orders.order.>',
      handlers: [onOrderCreated(ctx), onOrderRefunded(ctx)],
      deliver: 'every',
    },
    {
      name: 'emails-subscriptions',
      filterSubject: 'orders.subscription.>',
      handlers: [onSubscriptionChanged(ctx)],
      deliver: 'every',
    },
  ]
}

function onOrderCreated(ctx: AppContext): EventHandler {
  return onEvent(OrderCreatedSchema, async (tx, { message: { order }, ...event }) => {
    if (order) await addEmails(ctx, tx, emailsOfOrder(paidOrderFromProto(order)), event)
  })
}

function onOrderRefunded(ctx: AppContext): EventHandler {
  return onEvent(OrderRefundedSchema, async (tx, { message: { order, refund }, ...event }) => {
    if (order && refund) await addEmails(ctx, tx, [emailOfRefund(paidOrderFromProto(order), refund)], event)
  })
}

function onSubscriptionChanged(ctx: AppContext): EventHandler {
  const schemas = [SubscriptionUpdatedSchema, SubscriptionCanceledSchema]
  return onEvent(schemas, async (tx, { message: { subscription }, ...event }) => {
    if (!subscription) return
    await addEmails(ctx, tx, emailsOfSubscription(changedSubscriptionFromProto(subscription)), event)
  })
}
