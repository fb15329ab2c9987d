import { isDeepStrictEqual } from 'node:util'
import { errors } from '@storekeep/common/errors'
import { maskedFields, pick } from '@storekeep/common/values'
import type { ProductTerms } from './product.ts'
import { type TermsInput, termsViolations, toTerms } from './product-terms.ts'

/** The fields that a PATCH may change, by their names in a field mask. */
const maskMembers = {
  slug: 'slug',
  name: 'name',
  description: 'description',
  label: 'label',
  price: 'price',
  allow_one_time_purchase: 'allowOneTimePurchase',
  allow_subscription: 'allowSubscription',
  subscription_interval_value: 'subscriptionIntervalValue',
  subscription_interval_scale: 'subscriptionIntervalScale',
  tags: 'tags',
  custom_variable_ids: 'customVariableIds',
  is_hidden: 'isHidden',
  is_coupons_disabled: 'isCouponsDisabled',
  is_gifting_disabled: 'isGiftingDisabled',
  is_affiliate_links_disabled: 'isAffiliateLinksDisabled',
  enabled_at: 'enabledAt',
  enabled_until: 'enabledUntil',
  metadata: 'metadata',
} as const satisfies Record<string, keyof TermsInput>

/** The fields that a PATCH changes; an unset field is cleared. */
export type ProductChange = Partial<TermsInput>

/**
 * The requested change. Fields outside the mask are ignored; the others are validated with the whole product
 * (`applyChange`).
 * @throws ServiceFault `bad-request` if the mask names an unknown field
 */
export function readChange(input: TermsInput, mask: readonly string[]): ProductChange {
  return pick(input, maskedFields(maskMembers, mask))
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
  }
}
