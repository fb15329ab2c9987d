/** Seconds that a token lives: one of the server-side flow, and one of a name that was only typed. */
export const tokenLifetimeSeconds = { verified: 30 * 24 * 3600, claimed: 24 * 3600 } as const

/** How far the clocks of our machines may lie apart; forgiven on expiry only. */
const clockLeewaySeconds = 60

/** True from the moment on that a token may not be taken any more. */
export function isExpired(token: { expiresAt: number }, nowMs: number): boolean {
  return nowMs / 1000 >= token.expiresAt + clockLeewaySeconds
}

/**
 * True when the token was minted before its customer's or its store's tokens were last revoked. Each level is one
 * number that only grows and each is compared by itself, so neither can hide the other.
 */
export function isRevoked(token: Epochs, current: Epochs): boolean {
  return token.customerEpoch < current.customerEpoch || token.storeEpoch < current.storeEpoch
}

export interface Epochs {
  customerEpoch: number
  storeEpoch: number
}
