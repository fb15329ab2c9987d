import type { PagesContext } from '../context.ts'

/**
 * Counts an unknown token against the quota of the address. Called after the lookup, so that valid links and sessions still open
 * for others at the same address. The limit per address bounds the number of lookups.
 * @throws RateLimited when the address had too many unknown tokens
 */
export function countUnknownToken({ unknownTokens }: PagesContext, address: string, token: string): void {
  unknownTokens.assertAllowed(address, token)
  unknownTokens.recordFailure(address, token)
}
