/**
 * Replaces anything that looks like a secret issued by Storekeep with a placeholder. Such secrets start with `sk<kind>_`
 * (API key `skapi_`, customer token `skcus_`) or are link tokens: words of 28 base-32 characters.
 */
export function scrubSecrets(text: string): string {
  return text.replace(prefixed, '[$1 removed]').replace(linkToken, '[token removed]')
}

const prefixed = /\b(sk[a-z]{2,6})_[A-Za-z0-9]{8,}/g
const linkToken = /\b[a-z2-7]{28}\b/g
