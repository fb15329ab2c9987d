import type { Metadata, ProductTerms } from '../../products/domain/product.ts'

/** What a customer is about to buy, priced. Amounts are in minor units; null is "has none". */
export interface CheckoutSession extends Amounts {
  id: string
  storeId: string
  customerId: string
  status: SessionStatus
  /** ISO 4217, lower-case. */
  currency: string
  lines: readonly CheckoutLine[]
  couponId: string | null
  /** The version whose terms it was priced with. */
  couponVersionId: string | null
  affiliateLinkId: string | null
  returnUrl: string | null
  cancelUrl: string | null
  autoRedirect: boolean
  metadata: Metadata
  customerDetails: CustomerDetails | null
  expiresAt: Date
}

/** Subtotal = both discounts + total, always. */
export interface Amounts {
  subtotalAmount: bigint
  couponDiscountAmount: bigint
  affiliateDiscountAmount: bigint
  totalAmount: bigint
}

export const sessionStatuses = ['open', 'completed', 'canceled', 'expired'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

/** Unit price × quantity = discount + total, always. */
export interface CheckoutLine {
  /** Null when the line brought its own product. */
  productId: string | null
  name: string
  quantity: number
  /** Of the product and the options chosen. */
  unitPrice: bigint
  /** The part of the options in the unit price; below 0 when they make it cheaper. */
  optionsAmount: bigint
  /** The coupon's part, for the whole line. */
  discountAmount: bigint
  totalAmount: bigint
  subscription: boolean
  trial: boolean
  giftToCustomerId: string | null
  selectedGameserverId: string | null
  /** Identifier to the buyer's answer. */
  customVariables: Record<string, string>
  metadata: Metadata
  payoutSplits: readonly PayoutSplit[]
  inlineProduct: ProductTerms | null
}

/** A share of a line's income. */
export interface PayoutSplit {
  payoutId: string
  /** Basis points; null in the last one, which then takes what remains. */
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

/** The members of an address, and what callers call them. */
export const addressMembers = {
  country: 'country',
  state: 'state',
  city: 'city',
  postalCode: 'postal_code',
  line1: 'line_1',
  line2: 'line_2',
} as const
export type BillingAddress = Record<keyof typeof addressMembers, string | null>

/** How long a session may be paid. */
export const sessionMs = 24 * 3_600_000

/** The status at a time: nobody has to come by for an open session to be over. */
export function statusAt({ status, expiresAt }: Pick<CheckoutSession, 'status' | 'expiresAt'>, now: Date) {
  return status === 'open' && expiresAt <= now ? 'expired' : status
}
