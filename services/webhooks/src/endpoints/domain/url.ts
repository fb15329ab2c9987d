import { type Violation, violation } from '@storekeep/common/errors'
import { isWebAddress, maxWebAddressLength } from '@storekeep/common/values'
import { ForbiddenTarget, parseTarget, type TargetRules } from './target.ts'

/** Validates the URL syntactically; each attempt also checks the resolved addresses. */
export function urlViolations(url: string, rules: TargetRules): Violation[] {
  if (url.length > maxWebAddressLength) {
    return [violation('url', 'length', `must have at most ${maxWebAddressLength} characters`)]
  }
  if (!isWebAddress(url))
    return [violation('url', 'format', 'must be an absolute http or https URL without credentials')]
  try {
    parseTarget(url, rules)
    return []
  } catch (error) {
    if (error instanceof ForbiddenTarget) return [violation('url', 'format', error.message)]
    throw error
  }
}
