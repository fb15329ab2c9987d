import { isDeepStrictEqual } from 'node:util'
import { errors } from '@storekeep/common/errors'
import { maskedFields, pick } from '@storekeep/common/values'
import type { ProductTerms } from './product.ts'
import { type TermsInput, termsViolations, toTerms } from './product-terms.ts'

/** Members that a PATCH may name, by their names in a field mask. */
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

/** The members that a PATCH names; one that is unset clears. */
export type ProductChange = Partial<TermsInput>

/**
 * The change that a request asks for. Members outside the mask are not looked at, those inside are checked together
 * with the others of the product (`applyChange`).
 * @throws ServiceFault `bad-request` when the mask names what cannot be changed
 */
export function readChange(input: TermsInput, mask: readonly string[]): ProductChange {
  return pick(input, maskedFields(maskMembers, mask))
}

/**
 * The terms after the change, undefined when these are no others than before.
 * @throws ServiceFault `validation-failed` naming everything that is wrong with the product as it would be
 */
export function applyChange(product: ProductTerms, change: ProductChange): ProductTerms | undefined {
  const before = toInput(product)
  const after = { ...before, ...change }
  const violations = termsViolations(after)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const terms = toTerms(after)
  return isDeepStrictEqual(terms, toTerms(before)) ? undefined : terms
}

/** What a caller would have to give for these terms. */
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
