import { describe, expect, it } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

const never = () => new Promise<string>(() => {})
const quick = async () => 'answer'

describe('the guard against a standing Redis', () => {
  it('refuses at once after a time-out, lets one through to try, and opens with its answer', async () => {
    const guard = createCircuitBreaker(5)
    await expect(guard.run(never)).rejects.toThrow('did not answer within 5 ms')
    let sent = 0
    const refused = Array.from({ length: 100 }, () => guard.run(async () => (sent += 1)))
    const outcomes = await Promise.allSettled(refused)
    expect([sent, outcomes.every(({ status }) => status === 'rejected')]).toEqual([0, true])
    await expect.poll(() => guard.run(quick).catch(() => 'refused')).toBe('answer')
    await expect(Promise.all([guard.run(quick), guard.run(quick)])).resolves.toEqual(['answer', 'answer'])
  })

  it('takes an error for an answer: the server is there', async () => {
    const guard = createCircuitBreaker(5)
    await expect(guard.run(() => Promise.reject(new Error('WRONGTYPE')))).rejects.toThrow('WRONGTYPE')
    expect(guard.isStalled()).toBe(false)
  })

  it('does not blame the server for a pause of our own', async () => {
    const guard = createCircuitBreaker(5)
    const answer = guard.run(() => new Promise<string>((resolve) => setTimeout(() => resolve('answer'), 1)))
    const until = performance.now() + 30
    while (performance.now() < until);
    await expect(answer).resolves.toBe('answer')
  })
})
