import { webAddressLength } from '@storekeep/proto/conventions/limits'

/**
 * True for an address that a browser may be sent to: absolute, http or https, with a host, without credentials. What
 * a URL parser would silently strip or repair is refused, since browsers get it as it is.
 */
export function isWebAddress(text: string): boolean {
  return shape.test(text) && !/\p{Cc}/u.test(text) && URL.canParse(text)
}

/** Maximum length of a stored address. */
export const maxWebAddressLength = webAddressLength

/** Host and port hold no "@": that would be a user name, even an empty one. */
const shape = /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i
