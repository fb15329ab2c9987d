import type { ProductTerms } from '../../products/domain/product.ts'
import type { CheckoutSession } from './checkout-session.ts'
import type { OrderLine } from './order.ts'
import type { PricedSession } from './price-session.ts'

/** A line as far as discounts depend on it. */
export interface DiscountableLine {
  /** Null for an inline product. */
  productId: string | null
  tags: string[]
  quantity: number
  /** Before discounts. */
  amount: bigint
  subscription: boolean
  isCouponsDisabled: boolean
  isAffiliateLinksDisabled: boolean
}

/** The lines of a new order. */
export function linesOfOrder(lines: readonly OrderLine[], priced: PricedSession): DiscountableLine[] {
  return lines.map(({ productId, terms, draft: { quantity, subscription } }, index) => {
    const amount = priced.lines[index]?.totalAmount ?? 0n
    return { productId, quantity, amount, subscription, ...scopeOf(terms) }
  })
}

/**
 * The lines of a session. They keep their prices, but the current products decide which discounts apply. No coupon applies
 * to a product that was deleted in the meantime.
 * @param products the session's products that still exist
 */
export function linesOfSession(
  { lines }: Pick<CheckoutSession, 'lines'>,
  products: readonly (ProductTerms & { id: string })[],
): DiscountableLine[] {
  const byId = new Map(products.map((product) => [product.id, product]))
  return lines.map(({ productId, quantity, unitPrice, subscription, inlineProduct }) => {
    const terms = inlineProduct ?? byId.get(productId ?? '')
    const scope = terms ? scopeOf(terms) : { tags: [], isCouponsDisabled: true, isAffiliateLinksDisabled: false }
    return { productId, quantity, amount: unitPrice * BigInt(quantity), subscription, ...scope }
  })
}

function scopeOf({ tags, isCouponsDisabled, isAffiliateLinksDisabled }: ProductTerms) {
  return { tags: [...tags], isCouponsDisabled, isAffiliateLinksDisabled }
}
