import { type Violation, violation } from '@storekeep/common/errors'
import { saleProblem } from '../../products/domain/availability.ts'
import type { Product, ProductTerms } from '../../products/domain/product.ts'
import { type CheckoutDraft, type DraftLine, recipientPath } from './checkout-draft.ts'
import type { AnsweredVariable } from './checkout-session.ts'
import type { OptionTerms } from './line-price.ts'

/** An order with everything that its price depends on, except its codes. */
export interface Order {
  /** ISO 4217, lower-case. */
  currency: string
  lines: readonly OrderLine[]
}

export interface OrderLine extends ProductLine {
  answers: Answers
}

/** The buyer's answers to the custom variables of a line. */
export interface Answers {
  /** Answers by identifier. */
  values: Record<string, string>
  /** The identifiers of the answers that are texts and that no pattern restricts. */
  freeTexts: readonly string[]
  /** The names of the variables, in the order of the product's variables. */
  variables: readonly AnsweredVariable[]
  /** The chosen options. */
  options: readonly OptionTerms[]
}

/** A line together with the terms of its product. */
export interface ProductLine {
  /** Its path in the request: "lines.0". */
  at: string
  draft: DraftLine
  /** Null for an inline product, as the version. */
  productId: string | null
  productVersionId: string | null
  terms: ProductTerms
}

/** A product of the store. */
export interface StoredProduct extends Product {
  id: string
  versionId: string
}

/**
 * Joins the lines with the products of the store.
 * @param products the products that were found
 * @param now decides which products are on sale
 * @returns `lines` is complete only if there are no violations
 */
export function joinProducts(
  { lines }: Pick<CheckoutDraft, 'lines'>,
  products: readonly StoredProduct[],
  now: Date,
): { lines: ProductLine[]; violations: Violation[] } {
  const byId = new Map(products.map((product) => [product.id, product]))
  const found: ProductLine[] = []
  const violations: Violation[] = []
  for (const [index, draft] of lines.entries()) {
    const { item } = draft
    const at = `lines.${index}`
    const product = item.kind === 'inline' ? undefined : byId.get(item.productId)
    const terms = item.kind === 'inline' ? item.terms : product
    if (!terms) {
      violations.push(violation(`${at}.product_id`, 'reference', 'is not a product in this store'))
      continue
    }
    violations.push(...saleViolations(draft, { enabled: true, ...terms }, at, now))
    found.push({ at, draft, productId: product?.id ?? null, productVersionId: product?.versionId ?? null, terms })
  }
  return { lines: found, violations: [...violations, ...intervalViolations(found)] }
}

/** One subscription renews all its lines together. */
function intervalViolations(lines: readonly ProductLine[]): Violation[] {
  const [first, ...others] = lines.filter(({ draft, terms }) => draft.subscription && terms.allowSubscription)
  return others
    .filter(
      ({ terms }) =>
        terms.subscriptionIntervalValue !== first?.terms.subscriptionIntervalValue ||
        terms.subscriptionIntervalScale !== first?.terms.subscriptionIntervalScale,
    )
    .map(({ at }) =>
      violation(`${at}.subscription`, 'exclusive', `must have the same interval as the subscription of ${first?.at}`),
    )
}

/** Why the product cannot be bought by this line. */
function saleViolations(
  draft: DraftLine,
  terms: ProductTerms & Pick<Product, 'enabled'>,
  at: string,
  now: Date,
): Violation[] {
  const { item, subscription, recipient } = draft
  const problem = saleProblem(terms, now)
  const itemPath = item.kind === 'inline' ? `${at}.inline_product` : `${at}.product_id`
  return [
    problem === undefined ? undefined : violation(itemPath, 'reference', problem),
    subscription && !terms.allowSubscription
      ? violation(`${at}.subscription`, 'enum', 'must be false: the product does not allow subscriptions')
      : undefined,
    !subscription && !terms.allowOneTimePurchase
      ? violation(`${at}.subscription`, 'enum', 'must be true: the product is only sold as a subscription')
      : undefined,
    recipient && terms.isGiftingDisabled
      ? violation(recipientPath(recipient, at), 'exclusive', 'the product does not allow gifts')
      : undefined,
  ].filter((one) => one !== undefined)
}
