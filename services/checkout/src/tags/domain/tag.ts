import { isDeepStrictEqual } from 'node:util'
import { errors } from '@storekeep/common/errors'
import { fieldsOf, maskedFields, pick, secureAddressViolation, textViolations } from '@storekeep/common/values'
import { tagLimits } from '@storekeep/proto/conventions/limits'
import { sortOrderViolations } from '../../products/domain/product-draft.ts'
import { slugViolation } from '../../products/domain/slug.ts'

/** A category of products. Null means none. */
export interface TagState {
  name: string
  /** Unique among the tags of a store, ignoring case. */
  slug: string | null
  /** See `secureAddressViolation`. */
  imageUrl: string | null
  /** Its place in lists of the storefront, ascending; 0 to 1,000,000. */
  sortOrder: number
  /** Whether the storefront shows it. */
  enabled: boolean
}

/** The fields of a tag, with their names in the API and in the table. */
export const tagFields = {
  name: 'name',
  slug: 'slug',
  imageUrl: 'image_url',
  sortOrder: 'sort_order',
  enabled: 'enabled',
} as const satisfies Record<keyof TagState, string>

/**
 * Validates a tag as a whole, new or changed.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkTag(tag: TagState): TagState {
  const violations = [
    ...textViolations('name', tag.name, 1, tagLimits.nameLength),
    tag.slug === null ? undefined : slugViolation(tag.slug, 'slug'),
    secureAddressViolation('image_url', tag.imageUrl),
    ...sortOrderViolations(tag.sortOrder),
  ].filter((one) => one !== undefined)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return tag
}

/**
 * The tag after a change of the fields in the mask; undefined if nothing changes.
 * @throws ServiceFault `bad-request` for an unknown field, `validation-failed` naming every invalid field
 */
export function changeTag(tag: TagState, input: TagState, mask: readonly string[]): TagState | undefined {
  const before = pick(tag, fieldsOf(tagFields))
  const after = checkTag({ ...before, ...pick(input, maskedFields(tagFields, mask)) })
  return isDeepStrictEqual(after, before) ? undefined : after
}
