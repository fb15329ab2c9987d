import { currencyDigits } from '@storekeep/proto/conventions/currency'
import { type Item, type NewItem, type OrderFacts, withoutSubscription } from './item.ts'

/** What delivery needs of an order. Ids are decimal strings; null means there is none. */
export interface PaidOrder {
  id: string
  storeId: string
  number: string
  /** ISO 4217, lower-case. */
  currency: string
  customerId: string
  checkoutId: string | null
  subscriptionId: string | null
  /** The period of the subscription that the order paid. */
  periodStart: Date | null
  periodEnd: Date | null
  lines: readonly PaidLine[]
}

/** A line of an order. */
export interface PaidLine
  extends Pick<Item, 'productId' | 'productVersionId' | 'productName' | 'productSlug' | 'inlineTerms'>,
    Pick<Item, 'executeOnGameserverId' | 'customVariables'> {
  quantity: number
  /** In minor units. */
  unitPrice: bigint
  /** Whether the subscription of the order pays for it again. */
  renews: boolean
  giftToCustomerId: string | null
}

/** The units of an order, in the order of its lines. Only subscription lines belong to the subscription of the order. */
export function itemsOfOrder(order: PaidOrder, addedAt: Date): NewItem[] {
  let subscriptionLines = 0
  return order.lines.flatMap((line, index) => {
    const isRenewing = line.renews && order.subscriptionId !== null
    if (isRenewing) subscriptionLines += 1
    const subscription = isRenewing ? subscriptionOf(order, subscriptionLines) : withoutSubscription
    const item = { ...itemOfLine(order, line), ...subscription, orderLine: index + 1, addedAt }
    return Array.from({ length: line.quantity }, (_, quantityIndex) => ({ ...item, quantityIndex }))
  })
}

function itemOfLine(order: PaidOrder, line: PaidLine) {
  const { quantity, unitPrice, renews, giftToCustomerId, ...fields } = line
  return {
    ...fields,
    storeId: order.storeId,
    customerId: giftToCustomerId ?? order.customerId,
    orderCustomerId: order.customerId,
    checkoutId: order.checkoutId,
    orderId: order.id,
    orderFacts: factsOf(order, line),
    gift: giftToCustomerId !== null && giftToCustomerId !== order.customerId,
    skipCommands: false,
    addedBy: null,
    overrideExpiresAt: null,
  }
}

function subscriptionOf({ subscriptionId, periodStart, periodEnd }: PaidOrder, subscriptionLine: number) {
  return { subscriptionId, subscriptionLine, periodStart, periodEnd }
}

function factsOf({ number, currency }: PaidOrder, { quantity, unitPrice }: PaidLine): OrderFacts {
  return { number, currency, quantity, price: inMajorUnits(unitPrice, currency) }
}

/** "9.99" for 999 cents. */
function inMajorUnits(amount: bigint, currency: string): string {
  const digits = currencyDigits(currency)
  if (digits === 0) return String(amount)
  const text = String(amount).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
