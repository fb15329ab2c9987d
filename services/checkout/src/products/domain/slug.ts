import { type Violation, violation } from '@storekeep/common/errors'
import { productLimits } from '@storekeep/proto/conventions/limits'

/** Why a text cannot be the slug of a product or a tag. */
export function slugViolation(slug: string, at: string): Violation | undefined {
  const isSlug = slug.length <= productLimits.slugLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/i.test(slug)
  return isSlug ? undefined : violation(at, 'pattern', 'must be 1 to 64 of a-z, 0-9 and, between these, single hyphens')
}
