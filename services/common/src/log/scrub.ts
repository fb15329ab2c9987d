/**
 * Replaces anything that looks like one of our secrets by its kind. Every secret the product issues starts with
 * `sk<kind>_` (API key `skapi_`, customer token `skcus_`), and link tokens follow `?t=`.
 */
export function scrubSecrets(text: string): string {
  return text.replace(prefixed, '[$1 removed]').replace(linkToken, '$1[token removed]')
}

const prefixed = /\b(sk[a-z]{2,6})_[A-Za-z0-9_-]{8,}/g
const linkToken = /([?&]t=)[a-z2-7]{20,}/g
