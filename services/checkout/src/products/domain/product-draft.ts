import { errors, type Violation, violation } from '@storekeep/common/errors'
import { productLimits } from '@storekeep/proto/conventions/limits'
import type { Product } from './product.ts'
import { type TermsInput, termsViolations, toTerms } from './product-terms.ts'

/** A product as requested, not validated. An absent field is unset. */
export interface ProductInput extends TermsInput, Pick<Product, 'enabled' | 'sortOrder'> {}

/**
 * Validates a new product, or a product after a change.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkProduct(input: ProductInput): Product {
  const violations = [...termsViolations(input), ...sortOrderViolations(input.sortOrder)]
  if (violations.length > 0) throw errors.validationFailed(violations)
  return toProduct(input)
}

/** The product as it is stored. Only for an input without violations. */
export function toProduct(input: ProductInput): Product {
  return { ...toTerms(input), enabled: input.enabled, sortOrder: input.sortOrder }
}

/** The violations in the place of a record in lists of the storefront. */
export function sortOrderViolations(sortOrder: number): Violation[] {
  if (sortOrder < 0) return [violation('sort_order', 'min', 'must be at least 0')]
  if (sortOrder <= productLimits.sortOrder) return []
  return [violation('sort_order', 'max', `must be at most ${productLimits.sortOrder}`)]
}
