import { report, scaled } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'
import { type Design, type Fault, faults, searchInterleavings } from './revocation-model.ts'

const denyList: Design = {
  trustsRedis: 'to accept',
  onMiss: 'none',
  fill: 'none',
  fenced: false,
  ownerReads: 'primary',
}
const cache: Design = { ...denyList, onMiss: 'ask the owner', fill: 'set' }
const raisedCache: Design = { ...cache, fill: 'raise' }
const lockedCache: Design = { ...cache, fill: 'locked raise' }
const fencedCache: Design = { ...lockedCache, fenced: true }
/** What Storekeep does. */
const rejectOnly: Design = { ...cache, trustsRedis: 'only to reject', fill: 'none' }

const size = { revocations: 1, gateways: 2 }

describe('in every interleaving of a revocation, requests and Redis faults', () => {
  it('a token is rejected once its revocation has returned, because only the owner accepts it', () => {
    // At full scale 1.8 million states, at a smaller one 0.2 million.
    const isFullScale = scaled(100) >= 100
    const { states, violation } = searchInterleavings(rejectOnly, faults, {
      revocations: isFullScale ? 3 : 2,
      gateways: 4,
    })
    report('revocation model', { states })
    expect(violation).toBeUndefined()
    expect(states).toBeGreaterThan(isFullScale ? 500_000 : 200_000)
  })

  // Negative controls: the search finds the flaw of every other design, in the mildest case that has it.
  it.each<[string, Design, Fault | undefined, holds: readonly (Fault | undefined)[]]>([
    ['a deny list', denyList, 'flush', [undefined]],
    ['a cache of the epoch', cache, undefined, []],
    ['a cache whose epoch only rises', raisedCache, 'flush', [undefined]],
    ['a cache filled under a lock', lockedCache, 'restart from snapshot', [undefined, 'flush']],
    ['a cache filled under a lock, after a failover,', lockedCache, 'failover', []],
    [
      'a cache fenced by the run id',
      fencedCache,
      'split brain',
      [undefined, 'flush', 'restart from snapshot', 'failover'],
    ],
    ['an owner that reads a replica', { ...rejectOnly, ownerReads: 'replica' }, undefined, []],
  ])('%s accepts a revoked token', (_name, design, fault, holds) => {
    const search = (one: Fault | undefined) => searchInterleavings(design, one ? [one] : [], size).violation
    expect(search(fault)).toBeDefined()
    expect(holds.map(search)).toEqual(holds.map(() => undefined))
  })
})
