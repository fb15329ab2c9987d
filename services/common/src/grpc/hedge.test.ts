import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Asking, hedge } from './hedge.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function asking() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { answer: promise, cancel: vi.fn(), resolve, reject }
}

/** What is put to two, of whom neither has answered yet. */
async function askedTwice() {
  const [first, second] = [asking(), asking()]
  const answer = hedge(first, async () => second)
  answer.catch(() => {})
  await vi.advanceTimersByTimeAsync(500)
  return { first, second, answer }
}

describe('a question', () => {
  it('that is answered soon is put to nobody else', async () => {
    const again = vi.fn()
    const first = asking()
    const answer = hedge(first, again)
    first.resolve('first')
    await expect(answer).resolves.toBe('first')
    expect(vi.getTimerCount()).toBe(0)
    expect([again.mock.calls, first.cancel.mock.calls]).toEqual([[], []])
  })

  it('that fails soon has failed', async () => {
    const first = asking()
    const answer = hedge(first, vi.fn())
    first.reject(new Error('away'))
    await expect(answer).rejects.toThrow('away')
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['first', 'second'] as const)('has the answer of the %s, and the other is called off', async (winner) => {
    const both = await askedTwice()
    both[winner].resolve(winner)
    await expect(both.answer).resolves.toBe(winner)
    const other = winner === 'first' ? both.second : both.first
    expect([other.cancel.mock.calls.length, both[winner].cancel.mock.calls.length]).toEqual([1, 0])
  })

  it.each([
    ['first', 'second'],
    ['second', 'first'],
  ] as const)('is answered by the other when the %s fails', async (loser, winner) => {
    const both = await askedTwice()
    both[loser].reject(new Error('away'))
    await vi.advanceTimersByTimeAsync(10)
    both[winner].resolve(winner)
    await expect(both.answer).resolves.toBe(winner)
  })

  it('has failed when both have', async () => {
    const { first, second, answer } = await askedTwice()
    first.reject(new Error('first'))
    second.reject(new Error('second'))
    await expect(answer).rejects.toThrow('second')
  })

  it('waits for the first when there is nobody else', async () => {
    const first = asking()
    const answer = hedge(first, async () => undefined)
    await vi.advanceTimersByTimeAsync(500)
    first.resolve('late')
    await expect(answer).resolves.toBe('late')
  })

  it('is called off at once where it arrives after the answer', async () => {
    const [first, second] = [asking(), asking()]
    const found = Promise.withResolvers<Asking<string> | undefined>()
    const answer = hedge(first, () => found.promise)
    await vi.advanceTimersByTimeAsync(500)
    first.resolve('first')
    await expect(answer).resolves.toBe('first')
    found.resolve(second)
    await vi.advanceTimersByTimeAsync(0)
    expect(second.cancel).toHaveBeenCalledOnce()
  })
})
