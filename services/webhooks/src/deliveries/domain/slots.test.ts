import { describe, expect, it } from 'vitest'
import { allocateSlots, bounds, type DueEndpoint } from './slots.ts'

const endpoint = (fields: Partial<DueEndpoint> = {}): DueEndpoint => {
  return { storeId: '1', webhookEndpointId: '1', isFailing: false, due: 100, inFlight: 0, ...fields }
}
const plenty = { all: 256, forFailing: 128 }
const none = new Map<string, number>()
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

  it('are at most those that the process has free, and failing endpoints cannot use up all of them', () => {
    const healthy = endpoint({ storeId: '9' })
    const failing = Array.from({ length: 200 }, (_, index) => endpoint({ storeId: `s${index}`, isFailing: true }))
    const allocations = allocateSlots([...failing, healthy], none, {
      all: bounds.perProcess,
      forFailing: bounds.failingPerProcess,
    })
    expect(allocations.reduce((sum, { slots }) => sum + slots, 0)).toBe(128 + 8)
    expect(allocations.at(-1)).toMatchObject({ slots: 8, isDeferred: false })
    expect(allocations.at(-2)).toMatchObject({ slots: 0, isDeferred: true })
    expect(allocatedTo([healthy, endpoint()], none, { all: 10, forFailing: 5 })).toEqual([8, 2])
  })

  it('say whether the endpoint is full, so that it waits for the end of an attempt', () => {
    const full = allocateSlots([endpoint({ due: 8 }), endpoint({ due: 9, storeId: '2' })], none, plenty)
    expect(full.map(({ isFull }) => isFull)).toEqual([false, true])
  })

  it('do not count the endpoint as full while only the process is: it stays due, for other senders too', () => {
    const allocations = allocateSlots([endpoint({ due: 9 }), endpoint({ due: 9, storeId: '2' })], none, {
      ...plenty,
      all: 3,
    })
    expect(allocations.map(({ slots, isDeferred, isFull }) => ({ slots, isDeferred, isFull }))).toEqual([
      { slots: 3, isDeferred: false, isFull: false },
      { slots: 0, isDeferred: false, isFull: false },
    ])
  })
})
