import { type EventHandler, onEvent } from '@storekeep/common/events'
import { OrderChargedBackSchema, OrderCreatedSchema, OrderRefundedSchema } from '@storekeep/proto/orders/v1/events'
import { OrderStatus } from '@storekeep/proto/orders/v1/order'
import type { AppContext } from '../../context.ts'
import { lockItemsOfOrder, updateItem } from '../db/item-repository.ts'
import type { Item } from '../domain/item.ts'
import { refundedUnits } from '../domain/refunded-units.ts'
import { paidOrderFromProto } from '../mappers.ts'
import { addItemsOfOrder } from '../steps/add-items.ts'
import { removeItems } from '../steps/remove-items.ts'

/** Adds the items of a paid order. */
export function onOrderCreated(ctx: AppContext): EventHandler {
  return onEvent(OrderCreatedSchema, async (tx, { storeId, message: { order }, traceparent }) => {
    if (storeId === undefined || !order) return
    const now = ctx.clock.now()
    await addItemsOfOrder(ctx, tx, paidOrderFromProto(order), now, { traceparent })
    // The dispute was reported before the order existed, and its event follows.
    if (order.status !== OrderStatus.CHARGED_BACK) return
    const items = await lockItemsOfOrder(tx, storeId, order.id)
    await removeItems(ctx, tx, items.filter(isNotChargedBack), { reason: 'chargeback', by: null }, now, { traceparent })
  })
}

/** Takes back what a refund names. */
export function onOrderRefunded(ctx: AppContext): EventHandler {
  return onEvent(OrderRefundedSchema, async (tx, { storeId, message: { order, refund }, traceparent }) => {
    if (storeId === undefined || !order) return
    const now = ctx.clock.now()
    await addItemsOfOrder(ctx, tx, paidOrderFromProto(order), now, { traceparent })
    const isFull = order.refundedAmount >= order.totalAmount
    const items = await lockItemsOfOrder(tx, storeId, order.id)
    const units = refundedUnits(items, { isFull, lines: refund?.lines ?? [] })
    for (const item of units.filter(({ state }) => state === 'revoked')) {
      await updateItem(tx, item, { revokeReason: 'refund' }, 0)
    }
    await removeItems(ctx, tx, units.filter(isNotRevoked), { reason: 'refund', by: null }, now, { traceparent })
  })
}

/**
 * Takes back everything of an order whose payment is disputed, also what has expired, was refunded or was revoked by the staff:
 * its commands often ban the customer.
 */
export function onOrderChargedBack(ctx: AppContext): EventHandler {
  return onEvent(OrderChargedBackSchema, async (tx, { storeId, message: { order }, traceparent }) => {
    if (storeId === undefined || !order) return
    const now = ctx.clock.now()
    await addItemsOfOrder(ctx, tx, paidOrderFromProto(order), now, { traceparent })
    const items = await lockItemsOfOrder(tx, storeId, order.id)
    await removeItems(ctx, tx, items.filter(isNotChargedBack), { reason: 'chargeback', by: null }, now, { traceparent })
  })
}

function isNotRevoked({ state }: { state: string }): boolean {
  return state !== 'revoked'
}

function isNotChargedBack({ revokeReason }: Pick<Item, 'revokeReason'>): boolean {
  return revokeReason !== 'chargeback'
}
