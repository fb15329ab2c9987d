import { describe, expect, it } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

const never = () => new Promise<string>(() => {})
const respond = async () => 'response'

describe('the Redis circuit breaker', () => {
  it('opens after a timeout, lets one probe through, and closes when the probe succeeds', async () => {
    const breaker = createCircuitBreaker(5)
    await expect(breaker.run(never)).rejects.toThrow('did not respond within 5 ms')
    let sent = 0
    const attempts = Array.from({ length: 100 }, () => breaker.run(async () => (sent += 1)))
    const outcomes = await Promise.allSettled(attempts)
    expect([sent, outcomes.every(({ status }) => status === 'rejected')]).toEqual([0, true])
    await expect.poll(() => breaker.run(respond).catch(() => 'rejected')).toBe('response')
    await expect(Promise.all([breaker.run(respond), breaker.run(respond)])).resolves.toEqual(['response', 'response'])
  })

  it('stays closed after an error response', async () => {
    const breaker = createCircuitBreaker(5)
    await expect(breaker.run(() => Promise.reject(new Error('WRONGTYPE')))).rejects.toThrow('WRONGTYPE')
    expect(breaker.isOpen()).toBe(false)
  })

  it('does not count a pause of this process as a timeout', async () => {
    const breaker = createCircuitBreaker(5)
    const response = breaker.run(() => new Promise<string>((resolve) => setTimeout(() => resolve('response'), 1)))
    const until = performance.now() + 30
    while (performance.now() < until);
    await expect(response).resolves.toBe('response')
  })
})
