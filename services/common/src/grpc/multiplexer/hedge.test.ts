import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Attempt, hedge } from './hedge.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function createAttempt() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { response: promise, cancel: vi.fn(), resolve, reject }
}

/** A request with two attempts in flight. */
async function startHedged() {
  const [first, second] = [createAttempt(), createAttempt()]
  const response = hedge(first, async () => second)
  response.catch(() => {})
  await vi.advanceTimersByTimeAsync(500)
  return { first, second, response }
}

describe('a hedged request', () => {
  it('sends no second attempt when the first responds quickly', async () => {
    const sendSecond = vi.fn()
    const first = createAttempt()
    const response = hedge(first, sendSecond)
    first.resolve('first')
    await expect(response).resolves.toBe('first')
    expect(vi.getTimerCount()).toBe(0)
    expect([sendSecond.mock.calls, first.cancel.mock.calls]).toEqual([[], []])
  })

  it('fails when the first attempt fails quickly', async () => {
    const first = createAttempt()
    const response = hedge(first, vi.fn())
    first.reject(new Error('unavailable'))
    await expect(response).rejects.toThrow('unavailable')
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['first', 'second'] as const)(
    'returns the response of the %s attempt and cancels the other',
    async (winner) => {
      const both = await startHedged()
      both[winner].resolve(winner)
      await expect(both.response).resolves.toBe(winner)
      const other = winner === 'first' ? both.second : both.first
      expect([other.cancel.mock.calls.length, both[winner].cancel.mock.calls.length]).toEqual([1, 0])
    },
  )

  it.each([
    ['first', 'second'],
    ['second', 'first'],
  ] as const)('waits for the other attempt when the %s fails', async (loser, winner) => {
    const both = await startHedged()
    both[loser].reject(new Error('unavailable'))
    await vi.advanceTimersByTimeAsync(10)
    both[winner].resolve(winner)
    await expect(both.response).resolves.toBe(winner)
  })

  it('fails when both attempts fail', async () => {
    const { first, second, response } = await startHedged()
    first.reject(new Error('first'))
    second.reject(new Error('second'))
    await expect(response).rejects.toThrow('second')
  })

  it('waits for the first attempt when there is no other replica', async () => {
    const first = createAttempt()
    const response = hedge(first, async () => undefined)
    await vi.advanceTimersByTimeAsync(500)
    first.resolve('late')
    await expect(response).resolves.toBe('late')
  })

  it('cancels a second attempt that is sent after the first has succeeded', async () => {
    const [first, second] = [createAttempt(), createAttempt()]
    const sent = Promise.withResolvers<Attempt<string> | undefined>()
    const response = hedge(first, () => sent.promise)
    await vi.advanceTimersByTimeAsync(500)
    first.resolve('first')
    await expect(response).resolves.toBe('first')
    sent.resolve(second)
    await vi.advanceTimersByTimeAsync(0)
    expect(second.cancel).toHaveBeenCalledOnce()
  })
})
