import { describe, expect, it } from 'vitest'
import { allocateSlots, bounds, type DueEndpoint } from './slots.ts'

const endpoint = (fields: Partial<DueEndpoint> = {}): DueEndpoint => {
  return { storeId: '1', webhookEndpointId: '1', isFailing: false, due: 100, inFlight: 0, ...fields }
}
const none = new Map<string, number>()
const plenty = { all: 256, forFailing: 128, inFlightByStore: none }
const allocatedTo = (...parameters: Parameters<typeof allocateSlots>) =>
  allocateSlots(...parameters).map(({ slots }) => slots)

describe('the attempts that may start', () => {
  it('are as many as are due, 8 per endpoint with those in flight, and 2 of a failing one', () => {
    const given = [
      { due: 3 },
      {},
      { inFlight: 5 },
      { inFlight: 9 },
      { isFailing: true },
      { isFailing: true, inFlight: 1 },
    ]
    expect(allocatedTo(given.map(endpoint), none, plenty)).toEqual([3, 8, 3, 0, 2, 1])
  })

  it('are at most 40 per store, in flight ones included; others are deferred', () => {
    const given = [...Array(6).fill(endpoint()), endpoint({ storeId: '2' })]
    const allocations = allocateSlots(given, new Map([['1', 10]]), plenty)
    expect(allocations.map(({ slots }) => slots)).toEqual([8, 8, 8, 6, 0, 0, 8])
    expect(allocations.map(({ isDeferred }) => isDeferred)).toEqual([false, false, false, true, true, true, false])
  })

  it('are at most the free slots of the process, and failing endpoints cannot use up all of them', () => {
    const healthy = endpoint({ storeId: '9' })
    const failing = Array.from({ length: 200 }, (_, index) => endpoint({ storeId: `s${index}`, isFailing: true }))
    const allocations = allocateSlots([...failing, healthy], none, {
      all: bounds.perProcess,
      forFailing: bounds.failingPerProcess,
      inFlightByStore: none,
    })
    expect(allocations.reduce((sum, { slots }) => sum + slots, 0)).toBe(128 + 8)
    expect(allocations.at(-1)).toMatchObject({ slots: 8, isDeferred: false })
    expect(allocations.at(-2)).toMatchObject({ slots: 0, isDeferred: true })
  })

  it('leave slots of the process to other stores, however many of them have slow receivers', () => {
    // Each cycle, every store has 7 more due, and none of its attempts ends.
    const stores = Array.from({ length: 40 }, (_, index) => `slow${index}`)
    const inFlight = new Map<string, number>()
    const taken = () => [...inFlight.values()].reduce((sum, count) => sum + count, 0)
    const allocate = (storeId: string) => {
      const free = { all: bounds.perProcess - taken(), forFailing: 128, inFlightByStore: inFlight }
      const [first] = allocateSlots([endpoint({ storeId, due: 7 })], none, free)
      inFlight.set(storeId, (inFlight.get(storeId) ?? 0) + (first?.slots ?? 0))
      return first
    }
    for (let cycle = 0; cycle < 10; cycle += 1) for (const storeId of stores) allocate(storeId)
    expect(taken()).toBe(27 * 7 + 3 + 12 * 2)
    expect(allocate('slow1')).toMatchObject({ slots: 0, isDeferred: true })
    expect(allocate('other')).toMatchObject({ slots: 2 })
    // Without the shares, the bounds per store and endpoint would allow all slots to be taken (negative control).
    expect(stores.length * 7).toBeGreaterThan(bounds.perProcess)
  })

  it('say whether the endpoint is full, so that it waits for the end of an attempt', () => {
    const full = allocateSlots([endpoint({ due: 8 }), endpoint({ due: 9, storeId: '2' })], none, plenty)
    expect(full.map(({ isFull }) => isFull)).toEqual([false, true])
  })

  it('do not count the endpoint as full while only the process is: it stays due, for other senders too', () => {
    const allocations = allocateSlots([endpoint({ due: 1 }), endpoint({ due: 1, storeId: '2' })], none, {
      ...plenty,
      all: 1,
    })
    expect(allocations.map(({ slots, isDeferred, isFull }) => ({ slots, isDeferred, isFull }))).toEqual([
      { slots: 1, isDeferred: false, isFull: false },
      { slots: 0, isDeferred: false, isFull: false },
    ])
  })
})
