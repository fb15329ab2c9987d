import { webAddressLength } from '@storekeep/proto/conventions/limits'
import { type Violation, violation } from '../errors/index.ts'

/** Why a browser may not be redirected to the address, if it is given and not valid. */
export function webAddressViolation(path: string, text: string | null | undefined): Violation | undefined {
  if (text === null || text === undefined) return undefined
  if (text.length > maxWebAddressLength)
    return violation(path, 'length', `must have at most ${maxWebAddressLength} characters`)
  if (isWebAddress(text)) return undefined
  return violation(path, 'format', 'must be an absolute http or https URL without credentials')
}

/**
 * True for a URL that a browser may be redirected to: absolute, http or https, with a host, without credentials. Rejects
 * texts that a URL parser would silently repair, since browsers receive them unchanged.
 */
export function isWebAddress(text: string): boolean {
  return shape.test(text) && !/\p{Cc}/u.test(text) && URL.canParse(text)
}

/** Why the address may not be linked to from the pages of shoppers or used for an image, if it is given and not valid. */
export function secureAddressViolation(path: string, text: string | null | undefined): Violation | undefined {
  const malformed = webAddressViolation(path, text)
  if (malformed || text === null || text === undefined || isSecureAddress(text)) return malformed
  return violation(path, 'format', 'must be an absolute https URL without credentials')
}

/** True for an https URL, and for an http URL of this machine, which browsers consider equally trustworthy. */
export function isSecureAddress(text: string): boolean {
  if (!isWebAddress(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || loopback.has(hostname)
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Maximum length of a stored address. */
export const maxWebAddressLength = webAddressLength

/** An "@" before the path would delimit a user name, even an empty one. */
const shape = /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i
