import { isDeepStrictEqual } from 'node:util'
import { errors } from '@storekeep/common/errors'
import { maskedFields, pick } from '@storekeep/common/values'
import { type ProductTerms, productFields, type StockLimit } from './product.ts'
import { type TermsInput, termsViolations, toTerms } from './product-terms.ts'
import type { StockLimitInput } from './stock-limit.ts'

/** The fields that a PATCH changes; an unset field is cleared. */
export type ProductChange = Partial<TermsInput>

/**
 * The requested change. Fields outside the mask are ignored; the others are validated with the whole product
 * (`applyChange`).
 * @throws ServiceFault `bad-request` if the mask names an unknown field
 */
export function readChange(input: TermsInput, mask: readonly string[]): ProductChange {
  return pick(input, maskedFields(productFields, mask))
}

/**
 * The terms after the change; undefined if nothing changes.
 * @throws ServiceFault `validation-failed` naming every invalid field of the changed product
 */
export function applyChange(product: ProductTerms, change: ProductChange): ProductTerms | undefined {
  const before = toInput(product)
  const after = { ...before, ...change }
  const violations = termsViolations(after)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const terms = toTerms(after)
  return isDeepStrictEqual(terms, toTerms(before)) ? undefined : terms
}

function limitInput(limit: StockLimit | null): StockLimitInput | undefined {
  if (!limit) return undefined
  const { quantity, timeValue, timeScale, ...rest } = limit
  return {
    ...rest,
    quantity: quantity ?? undefined,
    timeValue: timeValue ?? undefined,
    timeScale: timeScale ?? undefined,
  }
}

/** The input that results in these terms. */
function toInput(terms: ProductTerms): TermsInput {
  return {
    ...terms,
    slug: terms.slug ?? undefined,
    description: terms.description ?? undefined,
    label: terms.label ?? undefined,
    subscriptionIntervalValue: terms.subscriptionIntervalValue ?? undefined,
    subscriptionIntervalScale: terms.subscriptionIntervalScale ?? undefined,
    enabledAt: terms.enabledAt ?? undefined,
    enabledUntil: terms.enabledUntil ?? undefined,
    removeAfterTimeValue: terms.removeAfterTimeValue ?? undefined,
    removeAfterTimeScale: terms.removeAfterTimeScale ?? undefined,
    storeStockLimit: limitInput(terms.storeStockLimit),
    customerStockLimit: limitInput(terms.customerStockLimit),
  }
}
