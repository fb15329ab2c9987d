import { type Columns, selectColumns } from '@storekeep/common/postgres'
import { raw, type Sql } from 'sql-template-tag'
import type { ProductTerms } from '../../products/domain/product.ts'
import type { Amounts, CheckoutLine, CheckoutSession } from '../domain/checkout-session.ts'
import type { SessionTax } from '../domain/tax-terms.ts'

/** A session as the repositories return it. Ids and versions are int8 and therefore strings. */
export interface SessionRow extends CheckoutSession {
  /** See `actorText`. */
  createdBy: string
  createdAt: Date
  completedAt: Date | null
  canceledAt: Date | null
  /** The payment that completed the session. */
  paymentId: string | null
  /** The order that the session became. */
  orderId: string | null
  /** The id under which coupons holds the redemption; null: the session's id. */
  redemptionId: string | null
  version: string
}

/** A session as a statement returns it: amounts are strings, and the lines JSON. */
export type StoredSession = Omit<SessionRow, 'lines' | 'tax' | keyof Amounts> &
  Record<keyof Amounts, string> & { lines: StoredLine[]; tax: StoredTax | null }

/** In JSON, amounts and ids are strings. */
export type StoredLine = Omit<CheckoutLine, LineAmount | LineTaxAmount | 'inlineProduct'> &
  Record<LineAmount, string> &
  Record<LineTaxAmount, string | null> & { inlineProduct: StoredTerms | null }

/** The tax in a JSON column. */
export type StoredTax = Omit<SessionTax, 'netAmount' | 'taxAmount'> & { netAmount: string; taxAmount: string }

/** Terms in a JSON column. */
export interface StoredTerms extends Omit<ProductTerms, 'price' | 'enabledAt' | 'enabledUntil'> {
  price: string
  enabledAt: string | null
  enabledUntil: string | null
}

const lineAmounts = ['unitPrice', 'optionsAmount', 'discountAmount', 'totalAmount'] as const
type LineAmount = (typeof lineAmounts)[number]

const lineTaxAmounts = ['netAmount', 'taxAmount'] as const
type LineTaxAmount = (typeof lineTaxAmounts)[number]

export const sessionTable = {
  id: 'id',
  storeId: 'store_id',
  customerId: 'customer_id',
  status: 'status',
  currency: 'currency',
  couponId: 'coupon_id',
  couponVersionId: 'coupon_version_id',
  couponCode: 'coupon_code',
  affiliateLinkId: 'affiliate_link_id',
  tax: 'tax',
  subscription: 'subscription',
  subtotalAmount: 'subtotal_amount',
  couponDiscountAmount: 'coupon_discount_amount',
  affiliateDiscountAmount: 'affiliate_discount_amount',
  totalAmount: 'total_amount',
  returnUrl: 'return_url',
  cancelUrl: 'cancel_url',
  autoRedirect: 'auto_redirect',
  editable: 'editable',
  metadata: 'metadata',
  customerDetails: 'customer_details',
  expiresAt: 'expires_at',
  createdBy: 'created_by',
  createdAt: 'created_at',
  completedAt: 'completed_at',
  canceledAt: 'canceled_at',
  paymentId: 'payment_id',
  orderId: 'order_id',
  redemptionId: 'redemption_id',
  version: 'version',
} as const satisfies Columns<keyof Omit<SessionRow, 'lines'>>

export const lineTable = {
  productId: 'product_id',
  productVersionId: 'product_version_id',
  name: 'name',
  imageUrl: 'image_url',
  quantity: 'quantity',
  unitPrice: 'unit_price',
  optionsAmount: 'options_amount',
  discountAmount: 'discount_amount',
  totalAmount: 'total_amount',
  netAmount: 'net_amount',
  taxAmount: 'tax_amount',
  subscription: 'subscription',
  trial: 'trial',
  giftToCustomerId: 'gift_to_customer_id',
  selectedGameserverId: 'selected_gameserver_id',
  customVariables: 'custom_variables',
  answeredVariables: 'answered_variables',
  metadata: 'metadata',
  payoutSplits: 'payout_splits',
  inlineProduct: 'inline_product',
  rules: 'rules',
  cartKey: 'cart_key',
} as const satisfies Columns<keyof CheckoutLine>

const bigintFields = new Set<string>([
  ...lineAmounts,
  ...lineTaxAmounts,
  'productId',
  'productVersionId',
  'giftToCustomerId',
  'selectedGameserverId',
])

/** The columns of a StoredSession, in a statement that reads from `checkout_session`. */
export const sessionColumns = columnsWith(sessionTable, lineTable)

/** The columns of a session in a list, without the long fields that no list shows. */
export const listedColumns = columnsWith(
  { ...sessionTable, customerDetails: 'null' },
  { ...lineTable, inlineProduct: 'null', answeredVariables: `'[]'::jsonb`, rules: 'null' },
)

function columnsWith(session: Columns<keyof typeof sessionTable>, line: Columns<keyof CheckoutLine>): Sql {
  const fields = Object.entries(line).map(([field, column]) => {
    return `'${field}', ${column}${bigintFields.has(field) ? '::text' : ''}`
  })
  return raw(`${selectColumns(session).sql}, (
    select json_agg(json_build_object(${fields.join(', ')}) order by position)
    from checkout_line line where line.store_id = checkout_session.store_id and checkout_id = checkout_session.id
  ) as lines`)
}

export function toSessionRow(stored: StoredSession): SessionRow {
  return {
    ...stored,
    subtotalAmount: BigInt(stored.subtotalAmount),
    couponDiscountAmount: BigInt(stored.couponDiscountAmount),
    affiliateDiscountAmount: BigInt(stored.affiliateDiscountAmount),
    totalAmount: BigInt(stored.totalAmount),
    lines: stored.lines.map(toLine),
    tax: stored.tax && toTax(stored.tax),
  }
}

function toLine(stored: StoredLine): CheckoutLine {
  return {
    ...stored,
    unitPrice: BigInt(stored.unitPrice),
    optionsAmount: BigInt(stored.optionsAmount),
    discountAmount: BigInt(stored.discountAmount),
    totalAmount: BigInt(stored.totalAmount),
    netAmount: amountOrNull(stored.netAmount),
    taxAmount: amountOrNull(stored.taxAmount),
    inlineProduct: stored.inlineProduct && toTerms(stored.inlineProduct),
  }
}

export function storedTax({ netAmount, taxAmount, ...rest }: SessionTax): StoredTax {
  return { ...rest, netAmount: netAmount.toString(), taxAmount: taxAmount.toString() }
}

function toTax({ netAmount, taxAmount, ...rest }: StoredTax): SessionTax {
  return { ...rest, netAmount: BigInt(netAmount), taxAmount: BigInt(taxAmount) }
}

function amountOrNull(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}

function toTerms({ price, enabledAt, enabledUntil, ...rest }: StoredTerms): ProductTerms {
  const date = (text: string | null) => (text === null ? null : new Date(text))
  return { ...rest, price: BigInt(price), enabledAt: date(enabledAt), enabledUntil: date(enabledUntil) }
}
