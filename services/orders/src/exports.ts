import { type Exported, exported } from '@storekeep/common/exports'
import { OrderSchema } from '@storekeep/proto/orders/v1/order'
import { SubscriptionSchema } from '@storekeep/proto/orders/v1/subscription'
import sql from 'sql-template-tag'
import { orderColumns, type StoredOrder, toOrderRow } from './orders/db/order-repository.ts'
import { orderToProto } from './orders/mappers.ts'
import { subscriptionColumns } from './subscriptions/db/subscription-repository.ts'
import type { Subscription } from './subscriptions/domain/subscription.ts'
import { subscriptionToProto } from './subscriptions/mappers.ts'

/** All orders, with the shopper's details, for services that keep copies. */
export function exportedOrders(): Exported {
  return exported({
    aggregate: 'order',
    source: sql`store_order`,
    columns: orderColumns,
    isLarge: true,
    schema: OrderSchema,
    toMessage: (row: StoredOrder) => orderToProto(toOrderRow(row)),
  })
}

/** All subscriptions, for services that keep copies. */
export function exportedSubscriptions(): Exported {
  return exported({
    aggregate: 'subscription',
    source: sql`subscription`,
    columns: subscriptionColumns,
    isLarge: true,
    schema: SubscriptionSchema,
    toMessage: (row: Subscription) => subscriptionToProto(row),
  })
}
