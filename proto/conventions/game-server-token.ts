/**
 * Conventions about the tokens of game servers shared by the delivery service and the gateways. A token is `skgs_` with the
 * cell of its store in two decimal digits, 60 further letters and digits, and a checksum in the last six, like an API key.
 */
export const gameServerTokenPrefix = 'skgs'

/** How long a gateway may use the result of a token check. A token that Redis cannot revoke is revoked after this time. */
export const gameServerTokenCacheMs = 5000

/**
 * Redis key, without the key prefix of the system, of the minimum epoch of the token checks of a game server: a decimal
 * number that only increases, written by the delivery service when a token is reset, or its server is changed or deleted.
 * A cached check with a lower epoch is outdated; a missing key means nothing.
 */
export function gameServerEpochKey(storeId: string, gameServerId: string): string {
  return `epoch:game-server:${storeId}:${gameServerId}`
}
