/**
 * Conventions about customer tokens shared by the customers service and the gateways, in addition to `TokenClaims`.
 *
 * A token is `skcus_` followed by the encoded claims, their HMAC-SHA256, and a checksum. Only the customers service can
 * verify the HMAC. A gateway may reject a token by its claims, but never accept one.
 */
export const customerTokenPrefix = 'skcus'
export const customerTokenMacBytes = 32

/**
 * Redis key, without the key prefix of the system, of the minimum epoch of a customer's tokens: a decimal number that
 * only increases, written by the customers service. A token with a lower epoch is revoked; a missing key means nothing.
 */
export function customerEpochKey(storeId: string, customerId: string): string {
  return `epoch:${storeId}:${customerId}`
}

/** Like `customerEpochKey`, for all tokens of a store. */
export function storeEpochKey(storeId: string): string {
  return `epoch:${storeId}`
}

/**
 * Outcomes of `token_checks_total`, shared by the customers service, which records why a token is rejected, and the
 * gateways, which only see that it was `rejected`.
 */
export const tokenCheckOutcomes = [
  'accepted',
  'malformed',
  'forged',
  'expired',
  'revoked',
  'other_store',
  'rejected',
  'unavailable',
] as const
