import { webAddressLength } from '@storekeep/proto/conventions/limits'

/**
 * True for a URL that a browser may be redirected to: absolute, http or https, with a host, without credentials. Rejects
 * texts that a URL parser would silently repair, since browsers receive them unchanged.
 */
export function isWebAddress(text: string): boolean {
  return shape.test(text) && !/\p{Cc}/u.test(text) && URL.canParse(text)
}

/** Maximum length of a stored address. */
export const maxWebAddressLength = webAddressLength

/** An "@" before the path would delimit a user name, even an empty one. */
const shape = /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i
