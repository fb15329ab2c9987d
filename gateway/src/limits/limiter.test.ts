import { errors } from '@storekeep/common/errors'
import { createLocalWindows, windowMs } from '@storekeep/common/http'
import { createMetrics } from '@storekeep/common/telemetry'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLimiter } from './limiter.ts'

describe('a local window', () => {
  it('never exceeds the quota in any minute, and grants again within a minute and one slot', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 10 }), (delays, quota) => {
        let time = 1_000_000
        const windows = createLocalWindows({ monotonicMs: () => time })
        const limits = [{ policy: 'p', key: 'k', quota }]
        const grants: number[] = []
        for (const delay of delays) {
          time += delay
          const [grant] = windows.take(limits)
          if (grant?.granted) grants.push(time)
          else {
            const opens = time + (grant?.resetInMs ?? 0)
            expect(opens - (grants.at(-quota) ?? 0)).toBeLessThanOrEqual(windowMs + windowMs / 60)
          }
        }
        for (const at of grants) {
          expect(grants.filter((other) => other > at - windowMs && other <= at).length).toBeLessThanOrEqual(quota)
        }
      }),
    )
  })
})

describe('without Redis', () => {
  it('each replica grants its share of the quota', async () => {
    const limiter = createLimiter({
      redis: { run: () => Promise.reject(errors.unavailable()), slotOf: () => 0 },
      replicas: 4,
      limited: createMetrics({ service: 'test' }).counter('limited_total', 'x', ['policy']),
      fallbacks: createMetrics({ service: 'test' }).counter('fallbacks_total', 'x', ['use']),
      monotonicMs: () => 0,
    })
    const take = async (quota: number) =>
      (await limiter.take([{ policy: 'p', key: String(quota), quota }])).rejected === undefined
    const granted = async (quota: number) =>
      (await Promise.all(Array.from({ length: 20 }, () => take(quota)))).filter(Boolean).length
    expect(await granted(12)).toBe(3)
    expect(await granted(2)).toBe(1)
  })
})
