import { RateLimited } from '@storekeep/common/http'
import { createMetrics } from '@storekeep/common/telemetry'
import { describe, expect, it } from 'vitest'
import { createGameServerLimit } from './game-server-limit.ts'

/** Limits of 120 polls a minute on a clock that the test moves. */
function limits() {
  const time = { ms: 0 }
  const limited = createMetrics({ service: 'test' }).counter('limited_total', 'x', ['policy'])
  const limit = createGameServerLimit({
    policy: 'game-server-poll',
    perMinute: 120,
    limited,
    monotonicMs: () => time.ms,
  })
  /** How many of so many polls are granted. */
  const poll = (count: number, server = 'a') =>
    Array.from({ length: count }, () => {
      try {
        limit.take(server)
        return true
      } catch (error) {
        expect(error).toBeInstanceOf(RateLimited)
        return false
      }
    }).filter(Boolean).length
  return { time, poll, limit }
}

describe('the polls of a game server', () => {
  it('are limited to a burst of 30, then to two per second, and counted per server', () => {
    const { time, poll } = limits()
    expect(poll(40)).toBe(30)
    expect(poll(1, 'b')).toBe(1)
    time.ms += 1000
    expect(poll(40)).toBe(2)
    time.ms += 60_000
    expect(poll(40)).toBe(30)
  })

  it('never exceed a burst and 120 in any minute, however they are spread', () => {
    const { time, poll } = limits()
    let granted = 0
    for (; time.ms < 60_000; time.ms += 100) granted += poll(5)
    expect(granted).toBeLessThanOrEqual(30 + 120)
    expect(granted).toBeGreaterThanOrEqual(30 + 119)
  })

  it('never reach the limit at the rate of the most frequent plugin', () => {
    const { time, poll } = limits()
    let granted = 0
    for (let count = 0; count < 500; count += 1) {
      granted += poll(1)
      time.ms += 2000
    }
    expect(granted).toBe(500)
  })

  it('say when the next one is granted', () => {
    const { poll, limit } = limits()
    poll(30)
    expect(() => limit.take('a')).toThrow('Retry in 1 s.')
  })
})
