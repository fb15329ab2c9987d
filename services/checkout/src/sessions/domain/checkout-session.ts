import { errors } from '@storekeep/common/errors'
import type { IntervalScale, Metadata, ProductTerms } from '../../products/domain/product.ts'
import type { LineRules } from './line-rules.ts'
import type { SessionTax } from './tax-terms.ts'

/** A priced order. Amounts are in minor units; null means none. */
export interface CheckoutSession extends Amounts {
  id: string
  storeId: string
  customerId: string
  status: SessionStatus
  /** ISO 4217, lower-case. */
  currency: string
  lines: readonly CheckoutLine[]
  couponId: string | null
  /** The coupon version that decided the discount. */
  couponVersionId: string | null
  /** The code of the coupon when it was applied. */
  couponCode: string | null
  affiliateLinkId: string | null
  /** Null if the store charges no taxes, or the country of the buyer is not known yet. */
  tax: SessionTax | null
  /** Null if no line is a subscription. */
  subscription: SubscriptionTerms | null
  returnUrl: string | null
  cancelUrl: string | null
  autoRedirect: boolean
  /** Whether the buyer may change quantities and remove lines. */
  editable: boolean
  metadata: Metadata
  customerDetails: CustomerDetails | null
  expiresAt: Date
}

/** How the subscription lines of a session renew. All have the same interval. */
export interface SubscriptionTerms {
  intervalValue: number
  intervalScale: IntervalScale
  /** How many periods the coupon discounts, counting the first. Null without a coupon, and for a coupon that discounts all. */
  discountedPeriods: number | null
}

/** Invariant: subtotal - both discounts + the tax, unless prices contain it = total. */
export interface Amounts {
  subtotalAmount: bigint
  couponDiscountAmount: bigint
  affiliateDiscountAmount: bigint
  totalAmount: bigint
}

export const sessionStatuses = ['open', 'completed', 'canceled', 'expired'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

/** Invariant: unit price × quantity = discount + total. */
export interface CheckoutLine {
  /** Null for an inline product. */
  productId: string | null
  /** The version of the product that is bought. Null for an inline product. */
  productVersionId: string | null
  name: string
  /** The image of the product when the line was created. */
  imageUrl: string | null
  quantity: number
  /** Including the chosen options. */
  unitPrice: bigint
  /** The part of the options in the unit price. Negative for a reduction. */
  optionsAmount: bigint
  /** The coupon discount of the whole line. */
  discountAmount: bigint
  /** Before the affiliate discount and before taxes that are added. */
  totalAmount: bigint
  /** What the buyer pays for the line, after both discounts: net plus tax. Both are null without the tax of the session. */
  netAmount: bigint | null
  taxAmount: bigint | null
  subscription: boolean
  trial: boolean
  giftToCustomerId: string | null
  selectedGameserverId: string | null
  /** The buyer's answers by identifier. */
  customVariables: Record<string, string>
  answeredVariables: readonly AnsweredVariable[]
  metadata: Metadata
  payoutSplits: readonly PayoutSplit[]
  inlineProduct: ProductTerms | null
  rules: LineRules | null
  /** The line of the customer's cart that is bought; null if the line is of no cart. */
  cartKey: string | null
}

/** The names of an answered variable when the session was created. */
export interface AnsweredVariable {
  identifier: string
  name: string
  /** Of the chosen option; null unless the variable is a dropdown. */
  optionName: string | null
}

/** A share of a line's income. */
export interface PayoutSplit {
  payoutId: string
  /** Basis points; null in the last share, which then takes the remainder. */
  percentage: number | null
  /** Basis points. */
  platformFee: number | null
}

export interface CustomerDetails {
  billingName: string | null
  billingEmail: string | null
  billingTaxId: string | null
  billingAddress: BillingAddress | null
}

/** The fields of an address and their public names. */
export const addressFields = {
  country: 'country',
  state: 'state',
  city: 'city',
  postalCode: 'postal_code',
  line1: 'line_1',
  line2: 'line_2',
} as const
export type BillingAddress = Record<keyof typeof addressFields, string | null>

/** How long a session can be paid. */
export const sessionMs = 24 * 3_600_000

/** How long a session can be paid whose payment is processing, such as a bank transfer. */
export const extendedSessionMs = 14 * 24 * 3_600_000

/** The status at a time. An open session has expired once its time is over, even before the sweep has run. */
export function statusAt({ status, expiresAt }: Pick<CheckoutSession, 'status' | 'expiresAt'>, now: Date) {
  return status === 'open' && expiresAt <= now ? 'expired' : status
}

/** The id of the redemption of a session; undefined without a coupon. */
export function redemptionOf({
  id,
  couponId,
  redemptionId,
}: Pick<CheckoutSession, 'id' | 'couponId'> & { redemptionId: string | null }): string | undefined {
  return couponId === null ? undefined : (redemptionId ?? id)
}

/**
 * Asserts that the coupon, the lines and the tax of a session can be changed. While a payment is processing, the payer may have
 * seen and sent the amount.
 * @throws ServiceFault `conflict`
 */
export function assertChangeable(session: CheckoutSession & { createdAt: Date }, now: Date): void {
  const status = statusAt(session, now)
  if (status !== 'open') throw errors.conflict(`The checkout session is ${status}.`)
  if (isExtended(session)) throw errors.conflict('A payment of the checkout session is processing.')
}

/** Whether a payment of the session has been processing: the payer may have seen and sent the amount. */
export function isExtended({
  createdAt,
  expiresAt,
}: Pick<CheckoutSession, 'expiresAt'> & { createdAt: Date }): boolean {
  return expiresAt.getTime() - createdAt.getTime() > sessionMs
}
