import { type Violation, violation } from '@storekeep/common/errors'
import { isWebAddress, maxWebAddressLength } from '@storekeep/common/values'

export interface UrlRules {
  /** Whether URLs may start with http. */
  allowHttp: boolean
}

/** Validates the URL of an endpoint as far as its text shows. Each attempt also checks the addresses of its host. */
export function urlViolations(url: string, { allowHttp }: UrlRules): Violation[] {
  if (url.length > maxWebAddressLength) {
    return [violation('url', 'length', `must have at most ${maxWebAddressLength} characters`)]
  }
  if (!isWebAddress(url)) return [violation('url', 'format', 'must be an absolute URL without credentials')]
  if (!allowHttp && !/^https:/i.test(url)) return [violation('url', 'format', 'must start with https://')]
  return []
}
