/**
 * Replaces anything that looks like a secret issued by Storekeep with a placeholder. Such secrets start with `sk<kind>_`
 * (API key `skapi_`, customer token `skcus_`) or `whsec_` (signing secret of a webhook endpoint), or are link tokens: words of
 * 28 base-32 characters.
 */
export function scrubSecrets(text: string): string {
  const scrubbed = text.replace(prefixed, '[$1 removed]').replace(signingSecret, '[whsec removed]')
  return hasBase32Run(scrubbed, linkTokenLength) ? scrubbed.replace(linkToken, '[token removed]') : scrubbed
}

const prefixed = /\b(sk[a-z]{2,6})_[A-Za-z0-9]{8,}/g
/** Base64, perhaps percent-encoded. */
const signingSecret = /\bwhsec_[A-Za-z0-9+/=%_-]{8,}/g
const linkToken = /\b[a-z2-7]{28}\b/g
const linkTokenLength = 28

/**
 * Whether the text has `length` characters of base 32 in a row. Looks at a fifth of the characters of a usual log line, because
 * a character of another kind rules out every run that contains it; the expression alone was a tenth of the cost of a line.
 */
function hasBase32Run(text: string, length: number): boolean {
  let end = length - 1
  while (end < text.length) {
    let at = end
    while (at > end - length && isBase32(text.charCodeAt(at))) at -= 1
    if (at === end - length) return true
    end = at + length
  }
  return false
}

function isBase32(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 50 && code <= 55)
}
