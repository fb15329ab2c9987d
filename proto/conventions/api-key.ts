/**
 * Conventions about API keys shared by the stores service and the gateways. A key is `skapi_` with the cell of its store in two decimal
 * digits, 60 further letters and digits, and a checksum in the last six.
 */
export const apiKeyPrefix = 'skapi'

/**
 * Redis channel, without the key prefix of the system, on which the stores service announces revoked keys. The message
 * is the id of the key. Gateways remove it from their cache. Messages may be lost.
 */
export const apiKeyRevokedChannel = 'api-key-revoked'

/** The resources that a scope can name. */
export const scopedResources = [
  'affiliate-links',
  'bans',
  'checkouts',
  'coupons',
  'custom-variables',
  'customers',
  'delivery',
  'gameservers',
  'orders',
  'products',
  'search',
  'store',
  'webhooks',
] as const

/** A permission of an API key: read or write one kind of resource. */
export type Scope = `${(typeof scopedResources)[number]}:${'read' | 'write'}`

/**
 * Outcomes of `api_key_checks_total`, shared by the stores service, which records why a key is rejected, and the
 * gateways, which only see that it was `rejected`.
 */
export const apiKeyCheckOutcomes = [
  'accepted',
  'cache_hit',
  'malformed',
  'unknown',
  'expired',
  'revoked',
  'rejected',
  'unavailable',
] as const
