import type Stripe from 'stripe'
import type { Payment, RenewalTerms } from '../../payments/domain/payment.ts'
import { toStripeAmount } from './stripe-amounts.ts'

type LineItem = Stripe.Checkout.SessionCreateParams.LineItem

/** What Stripe Checkout needs to start a subscription: a price that renews, and what makes the first payment differ from it. */
export interface RenewalItems {
  items: LineItem[]
  /** At most one, since Stripe accepts one per session. */
  coupon: Pick<Stripe.CouponCreateParams, 'amount_off' | 'duration' | 'duration_in_months'> | undefined
}

/**
 * The items of a session whose first payment is its total, and whose renewals cost the subtotal without the coupon once its
 * periods are over.
 * @returns undefined if Stripe cannot express it: a coupon for several periods that are no whole months, or together with a
 * discount that only applies to the first payment
 */
export function renewalItems(
  { amount, currency }: Pick<Payment, 'amount' | 'currency'>,
  { intervalValue, intervalScale, subtotal, discount, discountedPeriods }: RenewalTerms,
  name: string,
): RenewalItems | undefined {
  const reduction = BigInt(discount)
  const isRepeating = reduction > 0n && discountedPeriods !== null && discountedPeriods > 1
  const isForever = discountedPeriods === null
  const price = BigInt(subtotal) - (isForever ? reduction : 0n)
  const once = amount - (isRepeating ? price - reduction : price)
  const charged = (value: bigint) => toStripeAmount(value, currency)
  const priced = (unit: bigint) => ({ currency, unit_amount: charged(unit), product_data: { name } })
  const recurring = { interval: intervalScale, interval_count: intervalValue }
  const items: LineItem[] = [{ quantity: 1, price_data: { ...priced(price), recurring } }]
  if (once > 0n) items.push({ quantity: 1, price_data: priced(once) })
  if (!isRepeating) {
    return { items, coupon: once < 0n ? { amount_off: charged(-once), duration: 'once' } : undefined }
  }
  const months = intervalScale === 'month' ? 1 : intervalScale === 'year' ? 12 : undefined
  if (once < 0n || months === undefined) return undefined
  const duration_in_months = months * intervalValue * discountedPeriods
  return { items, coupon: { amount_off: charged(reduction), duration: 'repeating', duration_in_months } }
}
