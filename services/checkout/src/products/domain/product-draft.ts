import { errors } from '@storekeep/common/errors'
import type { ProductTerms } from './product.ts'
import { type TermsInput, termsViolations, toTerms } from './product-terms.ts'

/**
 * Validates the terms of a new product.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkNewProduct(input: TermsInput): ProductTerms {
  const violations = termsViolations(input)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return toTerms(input)
}
