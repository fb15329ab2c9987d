import { type Violation, violation } from '@storekeep/common/errors'
import type { LineRules } from './line-rules.ts'

/** The products of which a customer may own some. */
export interface OwnershipQuery {
  customerId: string
  productIds: ReadonlySet<string>
}

/** The products that each customer owns, among the products of the queries. */
export type OwnedProducts = ReadonlyMap<string, ReadonlySet<string>>

/** A line of an order whose product depends on what its recipient owns. */
export interface OwnershipLine {
  /** Path of the product in the request: "lines.0.product_id". */
  at: string
  /** Null for an inline product. */
  productId: string | null
  quantity: number
  /** Who receives the line; null if the recipient is not known yet. */
  ownerId: string | null
  rules: Pick<LineRules, 'requiredProductIds' | 'requiredProductAll' | 'isExclusive'>
}

/** What to ask for, once per recipient. Empty if no line depends on what its recipient owns. */
export function ownershipQueries(lines: readonly OwnershipLine[]): OwnershipQuery[] {
  const queries = new Map<string, Set<string>>()
  for (const { ownerId, productId, rules } of lines) {
    if (ownerId === null) continue
    const ids =
      rules.isExclusive && productId !== null ? [...rules.requiredProductIds, productId] : rules.requiredProductIds
    if (ids.length === 0) continue
    const known = queries.get(ownerId) ?? new Set()
    for (const id of ids) known.add(id)
    queries.set(ownerId, known)
  }
  return [...queries].map(([customerId, productIds]) => ({ customerId, productIds }))
}

/**
 * Which lines their recipients cannot have (contract "Delivery", what a product delivers). Lines without a known recipient are
 * left out.
 */
export function ownershipViolations(lines: readonly OwnershipLine[], owned: OwnedProducts): Violation[] {
  const bought = new Set<string>()
  return lines.flatMap(({ at, productId, quantity, ownerId, rules }) => {
    if (ownerId === null) return []
    const owns = owned.get(ownerId) ?? new Set<string>()
    const found: Violation[] = []
    if (!hasRequired(rules, owns)) {
      const message = rules.requiredProductAll
        ? 'requires other products first'
        : 'requires one of other products first'
      found.push(violation(at, 'reference', message, 'required-product-missing'))
    }
    if (rules.isExclusive) {
      const key = `${ownerId} ${productId}`
      const isRepeated = quantity > 1 || (productId !== null && (owns.has(productId) || bought.has(key)))
      if (isRepeated) {
        found.push(violation(at, 'reference', 'can be owned only once at a time', 'product-already-owned'))
      }
      bought.add(key)
    }
    return found
  })
}

function hasRequired(
  { requiredProductIds, requiredProductAll }: OwnershipLine['rules'],
  owns: ReadonlySet<string>,
): boolean {
  if (requiredProductIds.length === 0) return true
  const isOwned = (id: string) => owns.has(id)
  return requiredProductAll ? requiredProductIds.every(isOwned) : requiredProductIds.some(isOwned)
}
