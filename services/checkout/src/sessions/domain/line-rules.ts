import type { ProductTerms } from '../../products/domain/product.ts'
import { hasStockLimit } from '../../products/domain/stock.ts'

/** What the product of a line demands when the session is created. The session keeps it, because the product may change. */
export interface LineRules {
  /** The game servers among which the buyer chooses, empty for all enabled ones; null without a choice. */
  gameServerIds: readonly string[] | null
  /** Products of which the recipient must own one, or all of them with `requiredProductAll`. */
  requiredProductIds: readonly string[]
  requiredProductAll: boolean
  /** Whether an owner of the product cannot buy it again. */
  isExclusive: boolean
  /** Whether the session reserves the units of the line. */
  isCounted: boolean
}

/** @param productId null for an inline product, whose units are not counted @returns null if the product demands nothing */
export function rulesOf(terms: ProductTerms, productId: string | null): LineRules | null {
  const rules = {
    gameServerIds: terms.singleGameServerOnly ? terms.gameServerIds : null,
    requiredProductIds: terms.requiredProductIds,
    requiredProductAll: terms.requiredProductAll,
    isExclusive: !terms.allowConcurrentActiveItems,
    isCounted: productId !== null && hasStockLimit(terms),
  }
  const isEmpty =
    rules.gameServerIds === null && rules.requiredProductIds.length === 0 && !rules.isExclusive && !rules.isCounted
  return isEmpty ? null : rules
}
