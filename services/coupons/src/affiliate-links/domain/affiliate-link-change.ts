import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, maskedFields, pick } from '@storekeep/common/values'
import { type AffiliateLinkState, affiliateLinkFields } from './affiliate-link.ts'
import { type AffiliateLinkInput, checkAffiliateLink } from './affiliate-link-draft.ts'

/** The fields that a PATCH changes, not validated. */
export type AffiliateLinkChange = Partial<AffiliateLinkInput>

/**
 * The fields of the input that the mask names.
 * @throws ServiceFault `bad-request` for an unknown field
 */
export function readChange(input: AffiliateLinkInput, mask: readonly string[]): AffiliateLinkChange {
  return pick(input, maskedFields(affiliateLinkFields, mask))
}

/**
 * The link after the change; undefined if nothing changes. The result must be valid as a whole, so a change may be
 * rejected because of a field that it does not name.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function applyChange(link: AffiliateLinkState, change: AffiliateLinkChange): AffiliateLinkState | undefined {
  const before = pick(link, fieldsOf(affiliateLinkFields))
  const after = checkAffiliateLink({ ...before, ...change })
  return isDeepStrictEqual(after, before) ? undefined : after
}
