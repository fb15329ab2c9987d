/**
 * Replaces anything that looks like a secret issued by Storekeep with a placeholder. Such secrets start with `sk<kind>_`
 * (API key `skapi_`, customer token `skcus_`) or `whsec_` (signing secret of a webhook endpoint), or are link tokens: words of
 * 28 base-32 characters.
 */
export function scrubSecrets(text: string): string {
  return text
    .replace(prefixed, '[$1 removed]')
    .replace(signingSecret, '[whsec removed]')
    .replace(linkToken, '[token removed]')
}

const prefixed = /\b(sk[a-z]{2,6})_[A-Za-z0-9]{8,}/g
/** Base64, perhaps percent-encoded. */
const signingSecret = /\bwhsec_[A-Za-z0-9+/=%_-]{8,}/g
const linkToken = /\b[a-z2-7]{28}\b/g
