import type { Call } from '@storekeep/common/grpc'
import { describe, expect, it } from 'vitest'
import type { AppContext } from './context.ts'
import { maxCallSteps, maxMatchSteps, maxResponseLength } from './domain/limits.ts'
import { createMatching, type Matching } from './matching.ts'
import { createPatternCache } from './pattern-cache.ts'

describe('the matches of a call', () => {
  it('are made once for each pair of pattern and answer', async () => {
    const { matching, turns } = newMatching()
    for (let line = 0; line < 100; line += 1) {
      expect(await matching('^a', 'ab')).toBe('fits')
      expect(await matching('^a', 'b')).toBe('differs')
      expect(await matching('^b', 'b')).toBe('fits')
    }
    expect(turns).toEqual(['1', '1', '1'])
  })

  it('take no answer that is too long for so large a pattern', async () => {
    const { matching } = newMatching()
    const large = '.{1,255}$'
    const longest = Math.floor(maxMatchSteps / 512)
    expect(await matching(large, '🦊'.repeat(longest))).toBe('fits')
    expect(await matching(large, '🦊'.repeat(longest + 1))).toBe('too long')
    expect(await matching('^.{1,9}', 'a'.repeat(maxResponseLength))).toBe('fits')
  })

  it('cost no more than a call may, however many there are, and whatever has to be compiled', async () => {
    expect(await countAllowed((n) => ['(?:\\pL?){90}[!?]$', `${n}`.padStart(1000, 'a')])).toBeLessThan(20)
    expect(await countAllowed((n) => [`${'[^\\pL]'.repeat(80)}${n}`, 'a'])).toBeLessThan(35)
    expect(maxCallSteps).toBeGreaterThan(maxMatchSteps)
  })

  it('leave room for 50 ordinary patterns on each of 20 lines', async () => {
    const allowed = await countAllowed((n) => [`^[A-Za-z0-9_-]{1,32}${n % 50}?$`, `Player_of_the_store_${n}`], 1000)
    expect(allowed).toBe(1000)
  })

  it('end with the caller’s patience', async () => {
    const { matching } = newMatching(0)
    await expect(matching('a', 'a')).rejects.toThrow('unavailable')
  })
})

/** How many of such matches one call may have. */
async function countAllowed(pairOf: (n: number) => [string, string], tries = 200): Promise<number> {
  const { matching } = newMatching()
  let allowed = 0
  for (let n = 0; n < tries; n += 1) if ((await matching(...pairOf(n))) !== 'too long') allowed += 1
  return allowed
}

function newMatching(remainingMs = 1000): { matching: Matching; turns: string[] } {
  const turns: string[] = []
  const next = async (storeId: string) => {
    turns.push(storeId)
  }
  const ctx = { turns: { next }, patterns: createPatternCache(10) } as unknown as AppContext
  const call = { remainingMs: () => remainingMs } as unknown as Call
  return { matching: createMatching(ctx, call, '1'), turns }
}
