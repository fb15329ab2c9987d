/** What the stores service and the gateways agree on about API keys. The text of one is `skapi_…`, with a checksum. */
export const apiKeyPrefix = 'skapi'

/**
 * Channel in Redis, below the system's key prefix, on which the stores service says that a key was revoked; the
 * message is the id of the key. Gateways drop what they remember of it; messages may be lost.
 */
export const apiKeyRevokedChannel = 'api-key-revoked'

/** The kinds of resource that a scope can name. */
export const scopedResources = [
  'affiliate-links',
  'bans',
  'checkouts',
  'coupons',
  'custom-variables',
  'customers',
  'products',
  'search',
] as const

/** What an API key may be allowed to do: read or write one kind of resource. */
export type Scope = `${(typeof scopedResources)[number]}:${'read' | 'write'}`
