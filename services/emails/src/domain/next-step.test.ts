import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextStep } from './next-step.ts'

const hour = 3_600_000

/** The delays after attempts that all end in the same way, until the email has failed. */
function delaysOf(kind: 'deferred' | 'unavailable' | 'postponed'): number[] {
  const delays: number[] = []
  for (let ageMs = 0; ; ) {
    const next = nextStep({ kind }, { attempts: delays.length, ageMs }, 0.5)
    if (next.status !== 'pending') {
      expect(next).toEqual({ status: 'failed' })
      return delays
    }
    delays.push(next.delayMs)
    ageMs += next.delayMs
  }
}

describe('what follows an attempt', () => {
  it.each(['sent', 'bounced', 'suppressed'] as const)('is nothing once the email is %s', (kind) => {
    expect(nextStep({ kind }, { attempts: 0, ageMs: 100 * hour }, 0.5)).toEqual({ status: kind })
  })

  it('grows from a minute to six hours while the server defers the email, for three days', () => {
    const delays = delaysOf('deferred')
    expect(delays[0]).toBe(60_000)
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
    expect(delays.at(-1)).toBe(6 * hour)
    const total = delays.reduce((sum, delay) => sum + delay, 0)
    expect([total > 66 * hour, total <= 72 * hour, delays.length < 25]).toEqual([true, true, true])
  })

  it('is another attempt within five minutes while the server is unavailable', () => {
    expect(Math.max(...delaysOf('unavailable'))).toBe(300_000)
  })

  it('varies by a tenth, and is never later than three days', () => {
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.nat(80 * hour),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, ageMs, random) => {
          const next = nextStep({ kind: 'deferred' }, { attempts, ageMs }, random)
          if (next.status !== 'pending') {
            expect(next.status).toBe('failed')
            return
          }
          const middle = nextStep({ kind: 'deferred' }, { attempts, ageMs: 0 }, 0.5)
          const delayMs = middle.status === 'pending' ? middle.delayMs : 0
          expect(Math.abs(next.delayMs - delayMs)).toBeLessThanOrEqual(0.1 * delayMs + 1)
          expect(ageMs + next.delayMs).toBeLessThanOrEqual(72 * hour)
        },
      ),
    )
  })
})
