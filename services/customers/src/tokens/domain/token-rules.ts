/** Lifetime of tokens: `verified` by the store's server, or `claimed` by typing a name. */
export const tokenLifetimeSeconds = { verified: 30 * 24 * 3600, claimed: 24 * 3600 } as const

/** Tolerated clock difference between replicas; applies to expiry only. */
const clockLeewaySeconds = 60

export function isExpired(token: { expiresAt: number }, nowMs: number): boolean {
  return nowMs / 1000 >= token.expiresAt + clockLeewaySeconds
}

/**
 * True when the token was issued before the last revocation for its customer or its store. Both epochs only grow and are
 * compared separately, so neither revocation can mask the other.
 */
export function isRevoked(token: Epochs, current: Epochs): boolean {
  return token.customerEpoch < current.customerEpoch || token.storeEpoch < current.storeEpoch
}

export interface Epochs {
  customerEpoch: number
  storeEpoch: number
}
