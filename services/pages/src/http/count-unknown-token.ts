import type { PagesContext } from '../context.ts'

/**
 * Counts a token that does not exist against the quota of the address. Called after the look-up, so that a link or session
 * that exists opens whatever others do at the same address. The limit per address bounds the number of look-ups.
 * @throws RateLimited when the address had too many unknown tokens
 */
export function countUnknownToken({ unknownTokens }: PagesContext, address: string, token: string): void {
  unknownTokens.assertAllowed(address, token)
  unknownTokens.recordFailure(address, token)
}
