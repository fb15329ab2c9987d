/**
 * Conventions about the tokens of game servers shared by the delivery service and the gateways. A token is `skgs_` with the
 * cell of its store in two decimal digits, 60 further letters and digits, and a checksum in the last six, like an API key.
 */
export const gameServerTokenPrefix = 'skgs'

/** How long the delivery service waits before it confirms that a token is no longer valid: until no replica remembers it as valid. */
export const tokenRevocationMs = 1100
