import { errors, type Violation, violation } from '@storekeep/common/errors'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import { saleProblem } from '../../products/domain/availability.ts'
import { hasStockLimit, type StockDemand } from '../../products/domain/stock.ts'
import type { CheckoutLine, CheckoutSession } from './checkout-session.ts'
import { rulesOf } from './line-rules.ts'
import type { StoredProduct } from './order.ts'
import { subtotalOf } from './price-session.ts'

/** A new quantity of a line; 0 removes it. */
export interface LineQuantity {
  /** Of the line in the session, starting at 1. */
  position: number
  quantity: number
}

/** A session after a change of its quantities, before discounts. */
export interface EditedSession<S extends CheckoutSession> {
  session: S
  /** Its lines with more units than before, by their index. */
  grown: ReadonlySet<number>
  /** The path in the request of each line of `session`. Only the paths of changed lines are ever reported. */
  paths: readonly string[]
}

/** @throws ServiceFault `validation-failed` naming every invalid change */
export function checkQuantities(changes: readonly LineQuantity[], { lines }: Pick<CheckoutSession, 'lines'>): void {
  const { lines: max, quantity: maxQuantity } = checkoutLimits
  if (changes.length < 1 || changes.length > max) {
    throw errors.validationFailed([violation('lines', 'length', `must have 1 to ${max} items`)])
  }
  const violations = changes.flatMap(({ position, quantity }, index): Violation[] => {
    const at = `lines.${index}`
    const isRepeated = changes.findIndex((other) => other.position === position) < index
    return [
      lines[position - 1] ? undefined : violation(`${at}.position`, 'reference', 'is not a line of the session'),
      isRepeated ? violation(`${at}.position`, 'unique', 'is repeated') : undefined,
      quantity < 0 ? violation(`${at}.quantity`, 'min', 'must be at least 0') : undefined,
      quantity > maxQuantity ? violation(`${at}.quantity`, 'max', `must be at most ${maxQuantity}`) : undefined,
    ].filter((one) => one !== undefined)
  })
  if (violations.length === 0 && changes.length === lines.length && changes.every(({ quantity }) => quantity === 0)) {
    violations.push(violation('lines', 'length', 'must leave at least one line'))
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
}

/**
 * The session with these quantities. Lines keep their unit prices. More units of a product of the store are sold on its
 * current terms.
 * @param changes valid; see `checkQuantities`
 * @param products the products of the session that still exist
 * @throws ServiceFault `validation-failed` naming each line that cannot have more units
 */
export function editLines<S extends CheckoutSession>(
  session: S,
  changes: readonly LineQuantity[],
  products: readonly StoredProduct[],
  now: Date,
): EditedSession<S> {
  const byId = new Map(products.map((product) => [product.id, product]))
  const indexOf = new Map(changes.map(({ position }, index) => [position, index]))
  const grown = new Set<number>()
  const paths: string[] = []
  const lines: CheckoutLine[] = []
  const violations: Violation[] = []
  for (const [index, line] of session.lines.entries()) {
    const change = indexOf.get(index + 1)
    const path = `lines.${change}.quantity`
    const quantity = change === undefined ? line.quantity : (changes[change]?.quantity ?? line.quantity)
    if (quantity === 0) continue
    let edited = { ...line, quantity, totalAmount: line.unitPrice * BigInt(quantity) }
    if (quantity > line.quantity) {
      const product = byId.get(line.productId ?? '')
      if (product) edited = { ...edited, rules: rulesNow(line, product) }
      violations.push(...growthViolations(edited, product, path, now))
      grown.add(lines.length)
    }
    lines.push(edited)
    paths.push(path)
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  const subscription = lines.some((line) => line.subscription) ? session.subscription : null
  return { session: { ...session, lines, subscription, subtotalAmount: subtotalOf(lines) }, grown, paths }
}

/** What the product demands now. The choice of a game server stays as the session offers it. */
function rulesNow({ rules }: CheckoutLine, product: StoredProduct): CheckoutLine['rules'] {
  return { ...noRules, ...rulesOf(product, product.id), gameServerIds: rules?.gameServerIds ?? null }
}

const noRules = { requiredProductIds: [], requiredProductAll: false, isExclusive: false, isCounted: false }

function growthViolations(
  { productId, inlineProduct, rules }: CheckoutLine,
  product: StoredProduct | undefined,
  path: string,
  now: Date,
): Violation[] {
  const terms = inlineProduct ? { ...inlineProduct, enabled: true } : product
  if (productId !== null && !product) return [violation(path, 'reference', 'the product was deleted')]
  const problem = terms && saleProblem(terms, now)
  if (problem) return [violation(path, 'reference', `the product ${problem}`)]
  // More than one unit, since a line has at least one.
  if (rules?.isExclusive) {
    return [violation(path, 'reference', 'can be owned only once at a time', 'product-already-owned')]
  }
  return []
}

/**
 * The units that an edited session holds of products with a stock limit.
 * @param products the products of the session that still exist
 */
export function heldUnits<S extends CheckoutSession>(
  { session, paths }: EditedSession<S>,
  products: readonly StoredProduct[],
): (StockDemand & { position: number })[] {
  const byId = new Map(products.map((product) => [product.id, product]))
  return session.lines.flatMap((line, index) => {
    const { productId, quantity, rules } = line
    if (productId === null || !rules?.isCounted) return []
    const product = byId.get(productId)
    const isLimited = product && hasStockLimit(product)
    return [
      {
        at: paths[index] ?? '',
        position: index + 1,
        productId,
        customerId: line.giftToCustomerId ?? session.customerId,
        quantity,
        storeStockLimit: isLimited ? product.storeStockLimit : null,
        customerStockLimit: isLimited ? product.customerStockLimit : null,
        stockLimitDoNotIncludeRemoved: product?.stockLimitDoNotIncludeRemoved ?? false,
      },
    ]
  })
}
