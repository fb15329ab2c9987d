import { describe, expect, it } from 'vitest'
import { nextStep, retryDelaysMs } from './retry.ts'

const of = (status: number | undefined, attempts: number, retryAfterSeconds?: number, random = 0.5) =>
  nextStep({ status, retryAfterSeconds }, attempts, random)

describe('after an attempt', () => {
  it.each([200, 201, 204, 299])('a delivery that got %s has succeeded', (status) => {
    expect(of(status, 1)).toEqual({ status: 'succeeded' })
  })

  it.each([undefined, 100, 199, 300, 301, 304, 400, 404, 429, 500, 503])(
    'a delivery that got %s is retried',
    (status) => {
      expect(of(status, 1)).toEqual({ status: 'pending', delayMs: 5000 })
    },
  )

  it('a delivery is retried after 5 s, 30 s, 2 min, … for about three days, and then has failed', () => {
    const steps = Array.from({ length: 17 }, (_, index) => of(500, index + 1))
    const delays = steps.map((step) => (step.status === 'pending' ? step.delayMs / 1000 : step.status))
    expect(delays).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14_400, ...Array(8).fill(28_800), 'failed'])
    const hours = retryDelaysMs.reduce((sum, one) => sum + one, 0) / 3_600_000
    expect(hours).toBeGreaterThan(71)
    expect(hours).toBeLessThan(73)
  })

  it('the delay varies by ± 10 %', () => {
    expect(of(500, 1, undefined, 0)).toMatchObject({ delayMs: 4500 })
    expect(of(500, 1, undefined, 1)).toMatchObject({ delayMs: 5500 })
  })

  it('Retry-After lengthens the delay, to a day at most, and never shortens it', () => {
    expect(of(429, 1, 60)).toMatchObject({ delayMs: 60_000 })
    expect(of(429, 8, 60)).toMatchObject({ delayMs: 14_400_000 })
    expect(of(429, 1, 10 * 86_400)).toMatchObject({ delayMs: 86_400_000 })
  })

  it('410 is final', () => {
    expect(of(410, 1, 60)).toEqual({ status: 'failed' })
  })
})
