import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { actorFromText, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import type { CheckoutLine } from '@storekeep/proto/checkout/v1/checkout_session'
import {
  type DeliveryItemSchema,
  DeliveryItemState,
  RevokeReason as ProtoReason,
} from '@storekeep/proto/delivery/v1/delivery_item'
import type { ItemStatusSchema } from '@storekeep/proto/delivery/v1/item_status'
import type { Order } from '@storekeep/proto/orders/v1/order'
import type { AttemptRow } from '../attempts/db/schema.ts'
import { attemptToProto, commandStatusToProto } from '../attempts/mappers.ts'
import { termsFromProto } from '../copies/mappers.ts'
import type { Item, ItemState, RevokeReason } from './domain/item.ts'
import type { PaidLine, PaidOrder } from './domain/paid-order.ts'

export function paidOrderFromProto(order: Order): PaidOrder {
  const { id, storeId, number, currency, customerId, checkoutId, subscriptionId = null, subscriptionPeriod } = order
  const { start, end } = subscriptionPeriod ?? {}
  return {
    id,
    storeId,
    number: String(number),
    currency,
    customerId,
    checkoutId,
    subscriptionId,
    periodStart: start ? timestampDate(start) : null,
    periodEnd: end ? timestampDate(end) : null,
    lines: order.lines.map(lineFromProto),
  }
}

function lineFromProto(line: CheckoutLine): PaidLine {
  const { inlineProduct } = line
  return {
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    renews: line.subscription,
    giftToCustomerId: line.giftToCustomerId ?? null,
    executeOnGameserverId: line.selectedGameserverId ?? null,
    productId: line.productId ?? null,
    productVersionId: line.productVersionId ?? null,
    productName: line.name,
    productSlug: inlineProduct?.slug ?? null,
    inlineTerms: inlineProduct ? termsFromProto(inlineProduct) : null,
    customVariables: line.customVariables,
  }
}

/** @param attempts oldest first; default: none, as in events */
export function itemToProto(
  item: Item,
  attempts: readonly AttemptRow[] = [],
): MessageInitShape<typeof DeliveryItemSchema> {
  return present({
    id: item.id,
    storeId: item.storeId,
    customerId: item.customerId,
    orderCustomerId: item.orderCustomerId,
    checkoutId: item.checkoutId,
    orderId: item.orderId,
    orderLine: item.orderLine,
    subscriptionId: item.subscriptionId,
    executeOnGameserverId: item.executeOnGameserverId,
    quantityIndex: item.quantityIndex,
    product: productToProto(item),
    state: stateToProto[item.state],
    addedAt: timestampFromDate(item.addedAt),
    addedBy: item.addedBy === null ? undefined : actorFromText(item.addedBy),
    activeAt: timestampOrAbsent(item.activeAt),
    expirable: item.expirable,
    expiresAt: timestampOrAbsent(item.expiresAt),
    overrideExpiresAt: timestampOrAbsent(item.overrideExpiresAt),
    removedAt: timestampOrAbsent(item.removedAt),
    revokedAt: timestampOrAbsent(item.revokedAt),
    revokeReason: item.revokeReason === null ? undefined : reasonToProto[item.revokeReason],
    revokedBy: item.revokedBy === null ? undefined : actorFromText(item.revokedBy),
    commandAttempts: attempts.map(attemptToProto),
    skipCommands: item.skipCommands,
    customVariables: item.customVariables,
    gift: item.gift,
    version: BigInt(item.version),
  })
}

/** What shoppers see of an item. @param attempts oldest first */
export function itemStatusToProto(
  item: Item,
  attempts: readonly AttemptRow[],
): MessageInitShape<typeof ItemStatusSchema> {
  return present({
    id: item.id,
    customerId: item.customerId,
    product: productToProto(item),
    state: stateToProto[item.state],
    addedAt: timestampFromDate(item.addedAt),
    activeAt: timestampOrAbsent(item.activeAt),
    expiresAt: timestampOrAbsent(item.overrideExpiresAt ?? item.expiresAt),
    removedAt: timestampOrAbsent(item.removedAt),
    revokedAt: timestampOrAbsent(item.revokedAt),
    revokeReason: item.revokeReason === null ? undefined : reasonToProto[item.revokeReason],
    gift: item.gift,
    commands: attempts.map(commandStatusToProto),
  })
}

function productToProto(item: Item) {
  return present({
    id: item.productId,
    name: item.productName,
    slug: item.productSlug,
    versionId: item.productVersionId,
  })
}

const stateToProto = {
  usable: DeliveryItemState.USABLE,
  active: DeliveryItemState.ACTIVE,
  used: DeliveryItemState.USED,
  revoked: DeliveryItemState.REVOKED,
  renewed: DeliveryItemState.RENEWED,
} as const satisfies Record<ItemState, DeliveryItemState>

const reasonToProto = {
  refund: ProtoReason.REFUND,
  chargeback: ProtoReason.CHARGEBACK,
  manual: ProtoReason.MANUAL,
} as const satisfies Record<RevokeReason, ProtoReason>
