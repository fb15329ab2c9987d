import { errors, violation } from '@storekeep/common/errors'
import { maxJsonInteger, sum } from '@storekeep/common/values'
import type { CheckoutDraft } from './checkout-draft.ts'
import type { CheckoutLine, CheckoutSession, SubscriptionTerms } from './checkout-session.ts'
import { priceLine } from './line-price.ts'
import { rulesOf } from './line-rules.ts'
import type { Order, OrderLine } from './order.ts'
import { toSplits } from './payout-splits.ts'

/** A session without the fields that are set when it is written, and without gift recipients. */
export type PricedSession = Omit<CheckoutSession, 'id' | 'storeId' | 'status' | 'expiresAt'>

/**
 * The session at its prices before discounts (contract "Totals").
 * @throws ServiceFault `validation-failed` if the order costs more than a JSON number can hold
 */
export function priceSession(draft: CheckoutDraft, { currency, lines: orderLines }: Order): PricedSession {
  const lines = orderLines.map(sessionLine)
  const subtotalAmount = subtotalOf(lines)
  return {
    customerId: draft.customerId,
    currency,
    lines,
    couponId: null,
    couponVersionId: null,
    couponCode: null,
    affiliateLinkId: null,
    tax: null,
    subscription: subscriptionOf(orderLines),
    subtotalAmount,
    couponDiscountAmount: 0n,
    affiliateDiscountAmount: 0n,
    totalAmount: subtotalAmount,
    returnUrl: draft.returnUrl ?? null,
    cancelUrl: draft.cancelUrl ?? null,
    autoRedirect: draft.autoRedirect,
    editable: draft.editable,
    metadata: draft.metadata,
    customerDetails: draft.customerDetails,
  }
}

/**
 * What the lines cost together before discounts.
 * @throws ServiceFault `validation-failed` if it is more than a JSON number can hold
 */
export function subtotalOf(lines: readonly Pick<CheckoutLine, 'unitPrice' | 'quantity'>[]): bigint {
  const subtotal = sum(lines.map(({ unitPrice, quantity }) => unitPrice * BigInt(quantity)))
  if (subtotal <= maxJsonInteger) return subtotal
  throw errors.validationFailed([violation('lines', 'max', `must cost at most ${maxJsonInteger} together`)])
}

/** The interval of the subscription lines, which is the same for all. */
function subscriptionOf(lines: readonly OrderLine[]): SubscriptionTerms | null {
  const terms = lines.find(({ draft }) => draft.subscription)?.terms
  const { subscriptionIntervalValue: intervalValue, subscriptionIntervalScale: intervalScale } = terms ?? {}
  return intervalValue && intervalScale ? { intervalValue, intervalScale, discountedPeriods: null } : null
}

function sessionLine({ productId, productVersionId, terms, draft, answers }: OrderLine): CheckoutLine {
  const { unitPrice, optionsAmount } = priceLine(terms.price, answers.options)
  return {
    productId,
    productVersionId,
    name: terms.name,
    imageUrl: terms.imageUrl,
    quantity: draft.quantity,
    unitPrice,
    optionsAmount,
    discountAmount: 0n,
    totalAmount: unitPrice * BigInt(draft.quantity),
    netAmount: null,
    taxAmount: null,
    subscription: draft.subscription,
    trial: draft.trial,
    giftToCustomerId: null,
    selectedGameserverId: draft.selectedGameserverId ?? null,
    customVariables: answers.values,
    answeredVariables: answers.variables,
    metadata: draft.metadata,
    payoutSplits: toSplits(draft.payoutSplits),
    inlineProduct: productId === null ? terms : null,
    rules: rulesOf(terms, productId),
    cartKey: draft.cartKey ?? null,
  }
}
