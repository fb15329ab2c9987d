import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { actorFromText, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import type { CheckoutLine } from '@storekeep/proto/checkout/v1/checkout_session'
import { currencyDigits } from '@storekeep/proto/conventions/currency'
import {
  type DeliveryItemSchema,
  DeliveryItemState,
  RevokeReason as ProtoReason,
} from '@storekeep/proto/delivery/v1/delivery_item'
import type { ItemStatusSchema } from '@storekeep/proto/delivery/v1/item_status'
import type { Order } from '@storekeep/proto/orders/v1/order'
import type { AttemptRow } from '../attempts/db/schema.ts'
import { attemptToProto, commandStatusToProto } from '../attempts/mappers.ts'
import type { ProductVersion } from '../copies/db/product-version-repository.ts'
import { termsFromProto } from '../copies/mappers.ts'
import {
  type Item,
  type ItemState,
  type NewItem,
  type OrderFacts,
  type RevokeReason,
  withoutSubscription,
} from './domain/item.ts'

/** The units of an order, in the order of its lines. Only subscription lines belong to the subscription of the order. */
export function itemsOfOrder(order: Order, addedAt: Date): NewItem[] {
  let subscriptionLines = 0
  return order.lines.flatMap((line, index) => {
    const isRenewing = line.subscription && order.subscriptionId !== undefined
    if (isRenewing) subscriptionLines += 1
    const subscription = isRenewing ? subscriptionOf(order, subscriptionLines) : withoutSubscription
    const item = { ...itemOfLine(order, line), ...subscription, orderLine: index + 1, addedAt }
    return Array.from({ length: line.quantity }, (_, quantityIndex) => ({ ...item, quantityIndex }))
  })
}

function itemOfLine(order: Order, line: CheckoutLine) {
  const { giftToCustomerId, inlineProduct } = line
  return {
    storeId: order.storeId,
    customerId: giftToCustomerId ?? order.customerId,
    orderCustomerId: order.customerId,
    checkoutId: order.checkoutId,
    orderId: order.id,
    executeOnGameserverId: line.selectedGameserverId ?? null,
    productId: line.productId ?? null,
    productVersionId: line.productVersionId ?? null,
    productName: line.name,
    productSlug: inlineProduct?.slug ?? null,
    inlineTerms: inlineProduct ? termsFromProto(inlineProduct) : null,
    orderFacts: factsOf(order, line),
    customVariables: line.customVariables,
    gift: giftToCustomerId !== undefined && giftToCustomerId !== order.customerId,
    skipCommands: false,
    addedBy: null,
    overrideExpiresAt: null,
  }
}

function subscriptionOf({ subscriptionId, subscriptionPeriod }: Order, subscriptionLine: number) {
  const { start, end } = subscriptionPeriod ?? {}
  return {
    subscriptionId: subscriptionId ?? null,
    subscriptionLine,
    periodStart: start ? timestampDate(start) : null,
    periodEnd: end ? timestampDate(end) : null,
  }
}

function factsOf({ number, currency }: Order, { quantity, unitPrice }: CheckoutLine): OrderFacts {
  return { number: String(number), currency, quantity, price: inMajorUnits(unitPrice, currency) }
}

/** "9.99" for 999 cents. */
function inMajorUnits(amount: bigint, currency: string): string {
  const digits = currencyDigits(currency)
  if (digits === 0) return String(amount)
  const text = String(amount).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** The fields of an item that come from the version of its product. */
export function productOf(
  version: ProductVersion,
): Pick<Item, 'productId' | 'productVersionId' | 'productName' | 'productSlug'> {
  const { productId, id: productVersionId, name: productName, slug: productSlug } = version
  return { productId, productVersionId, productName, productSlug }
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
