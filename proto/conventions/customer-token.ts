/**
 * What the customers service and the gateways agree on about customer tokens, beside `TokenClaims`.
 *
 * The text of a token is `skcus_` and, with a checksum, the bytes of its claims followed by an HMAC-SHA256 of these
 * bytes. Only the customers service can check that; a gateway may read the claims to refuse a token, never to accept.
 */
export const customerTokenPrefix = 'skcus'
export const customerTokenMacBytes = 32

/**
 * Keys in Redis, below the system's key prefix, with the lowest epochs that tokens may still have: decimal numbers,
 * only ever raised, written by the customers service. A token of a lower epoch is revoked; an absent key says nothing.
 */
export function customerEpochKey(storeId: string, customerId: string): string {
  return `epoch:${storeId}:${customerId}`
}

export function storeEpochKey(storeId: string): string {
  return `epoch:${storeId}`
}
