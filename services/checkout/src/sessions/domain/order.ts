import { type Violation, violation } from '@storekeep/common/errors'
import type { ProductTerms } from '../../products/domain/product.ts'
import { type CheckoutDraft, type DraftLine, recipientPath } from './checkout-draft.ts'

/** A line together with what it sells. */
export interface OrderLine {
  /** Its place in the request: "lines.0". */
  at: string
  draft: DraftLine
  /** Null when the line brought its own product. */
  productId: string | null
  terms: ProductTerms
}

/**
 * Joins the lines with the products of the store.
 * @param products those that were found
 * @param now decides what is sold
 * @returns what is wrong with any line; `lines` are complete only when that is nothing
 */
export function orderLines(
  { lines }: Pick<CheckoutDraft, 'lines'>,
  products: readonly (ProductTerms & { id: string })[],
  now: Date,
): { lines: OrderLine[]; violations: Violation[] } {
  const byId = new Map(products.map((product) => [product.id, product]))
  const found: OrderLine[] = []
  const violations: Violation[] = []
  for (const [index, draft] of lines.entries()) {
    const { item } = draft
    const at = `lines.${index}`
    const terms = item.kind === 'inline' ? item.terms : byId.get(item.productId)
    if (!terms) {
      violations.push(violation(`${at}.product_id`, 'reference', 'is not a product of the store'))
      continue
    }
    violations.push(...saleViolations(draft, terms, at, now))
    found.push({ at, draft, productId: item.kind === 'inline' ? null : item.productId, terms })
  }
  return { lines: found, violations }
}

/** What the terms of the product have against this line. */
function saleViolations(draft: DraftLine, terms: ProductTerms, at: string, now: Date): Violation[] {
  const { item, subscription, recipient } = draft
  const notYet = terms.enabledAt !== null && terms.enabledAt > now
  const noLonger = terms.enabledUntil !== null && terms.enabledUntil <= now
  const itemPath = item.kind === 'inline' ? `${at}.inline_product` : `${at}.product_id`
  return [
    notYet ? violation(itemPath, 'reference', 'is not sold yet') : undefined,
    noLonger ? violation(itemPath, 'reference', 'is no longer sold') : undefined,
    subscription && !terms.allowSubscription
      ? violation(`${at}.subscription`, 'enum', 'must be false: the product has no subscription')
      : undefined,
    !subscription && !terms.allowOneTimePurchase
      ? violation(`${at}.subscription`, 'enum', 'must be true: the product is sold as a subscription only')
      : undefined,
    recipient && terms.isGiftingDisabled
      ? violation(recipientPath(recipient, at), 'exclusive', 'the product cannot be given to others')
      : undefined,
  ].filter((one) => one !== undefined)
}
