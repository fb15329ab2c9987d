import { raw, type Sql } from 'sql-template-tag'
import type { ProductTerms } from '../../products/domain/product.ts'
import type { Amounts, CheckoutLine, CheckoutSession } from '../domain/checkout-session.ts'

/** A session as the repositories return it. Ids and versions are int8 and therefore strings. */
export interface SessionRow extends CheckoutSession {
  /** See `actorText`. */
  createdBy: string
  createdAt: Date
  completedAt: Date | null
  canceledAt: Date | null
  /** The payment that completed the session. */
  paymentId: string | null
  /** The id under which coupons holds the redemption; null: that of the session. */
  redemptionId: string | null
  version: string
}

/** A session as a statement returns it: amounts are strings, and the lines JSON. */
export interface StoredSession extends Omit<SessionRow, 'lines' | keyof Amounts> {
  subtotalAmount: string
  couponDiscountAmount: string
  affiliateDiscountAmount: string
  totalAmount: string
  lines: StoredLine[]
}

/** In JSON, amounts and ids are strings. */
export interface StoredLine extends Omit<CheckoutLine, LineAmounts | 'inlineProduct'> {
  unitPrice: string
  optionsAmount: string
  discountAmount: string
  totalAmount: string
  inlineProduct: StoredTerms | null
}

/** Terms in a JSON column. */
export interface StoredTerms extends Omit<ProductTerms, 'price' | 'enabledAt' | 'enabledUntil'> {
  price: string
  enabledAt: string | null
  enabledUntil: string | null
}

type LineAmounts = 'unitPrice' | 'optionsAmount' | 'discountAmount' | 'totalAmount'

/** The columns of a StoredSession, in a statement that reads from `checkout_session`. */
export const sessionColumns = columnsWith({
  customerDetails: 'customer_details',
  inlineProduct: 'inline_product',
  answeredVariables: 'answered_variables',
})

/** The columns of a session in a list, without the long fields that no list shows. */
export const listedColumns = columnsWith({
  customerDetails: 'null',
  inlineProduct: 'null',
  answeredVariables: `'[]'::jsonb`,
})

function columnsWith({ customerDetails, inlineProduct, answeredVariables }: LongColumns): Sql {
  return raw(`id, store_id as "storeId", customer_id as "customerId", status, currency,
  coupon_id as "couponId", coupon_version_id as "couponVersionId", coupon_code as "couponCode", affiliate_link_id as "affiliateLinkId",
  subtotal_amount as "subtotalAmount", coupon_discount_amount as "couponDiscountAmount",
  affiliate_discount_amount as "affiliateDiscountAmount", total_amount as "totalAmount", return_url as "returnUrl",
  cancel_url as "cancelUrl", auto_redirect as "autoRedirect", metadata, ${customerDetails} as "customerDetails",
  expires_at as "expiresAt", created_by as "createdBy", created_at as "createdAt", completed_at as "completedAt",
  canceled_at as "canceledAt", payment_id as "paymentId",
  redemption_id as "redemptionId", subscription, version, (
    select json_agg(json_build_object('productId', product_id::text, 'name', name, 'quantity', quantity,
      'unitPrice', unit_price::text, 'optionsAmount', options_amount::text, 'discountAmount', discount_amount::text,
      'totalAmount', line.total_amount::text, 'subscription', line.subscription, 'trial', trial,
      'giftToCustomerId', gift_to_customer_id::text, 'selectedGameserverId', selected_gameserver_id::text,
      'customVariables', custom_variables, 'answeredVariables', ${answeredVariables}, 'metadata', line.metadata, 'payoutSplits', payout_splits,
      'inlineProduct', ${inlineProduct}) order by position)
    from checkout_line line where line.store_id = checkout_session.store_id and checkout_id = checkout_session.id
  ) as lines`)
}

type LongColumns = Record<'customerDetails' | 'inlineProduct' | 'answeredVariables', string>

export function toSessionRow(stored: StoredSession): SessionRow {
  return {
    ...stored,
    subtotalAmount: BigInt(stored.subtotalAmount),
    couponDiscountAmount: BigInt(stored.couponDiscountAmount),
    affiliateDiscountAmount: BigInt(stored.affiliateDiscountAmount),
    totalAmount: BigInt(stored.totalAmount),
    lines: stored.lines.map(toLine),
  }
}

function toLine(stored: StoredLine): CheckoutLine {
  return {
    ...stored,
    unitPrice: BigInt(stored.unitPrice),
    optionsAmount: BigInt(stored.optionsAmount),
    discountAmount: BigInt(stored.discountAmount),
    totalAmount: BigInt(stored.totalAmount),
    inlineProduct: stored.inlineProduct && toTerms(stored.inlineProduct),
  }
}

function toTerms({ price, enabledAt, enabledUntil, ...rest }: StoredTerms): ProductTerms {
  const date = (text: string | null) => (text === null ? null : new Date(text))
  return { ...rest, price: BigInt(price), enabledAt: date(enabledAt), enabledUntil: date(enabledUntil) }
}
