import { type Violation, violation } from '@storekeep/common/errors'
import { ForbiddenTarget, parseTarget, type TargetRules } from '@storekeep/common/targets'
import { webAddressViolation } from '@storekeep/common/values'

/** Validates the URL syntactically; each attempt also checks the resolved addresses. */
export function urlViolations(url: string, rules: TargetRules): Violation[] {
  const malformed = webAddressViolation('url', url)
  if (malformed) return [malformed]
  try {
    parseTarget(url, rules)
    return []
  } catch (error) {
    if (error instanceof ForbiddenTarget) return [violation('url', 'format', error.message)]
    throw error
  }
}
