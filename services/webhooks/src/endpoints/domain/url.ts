import { type Violation, violation } from '@storekeep/common/errors'
import { webAddressViolation } from '@storekeep/common/values'
import { ForbiddenTarget, parseTarget, type TargetRules } from './target.ts'

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
