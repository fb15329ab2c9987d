import { describe, expect, it } from 'vitest'
import { type Health, judgeEndpoint } from './health.ts'
import { retryDelaysMs } from './retry.ts'

const hourMs = 3_600_000
const at = (hours: number) => new Date(1_700_000_000_000 + hours * hourMs)
const attempt = (status: number | undefined, hours: number) => ({ status, startedAt: at(hours) })
const none: Health = { failingSince: null, lastFailedAt: null, failedAttempts: 0 }

/** The endpoint after failures at these times, each judged alone. */
function afterFailures(hours: readonly number[], before = none) {
  return hours.reduce((last, one) => judgeEndpoint(last.health, [attempt(500, one)]), {
    health: before,
    disabledReason: null,
  } as ReturnType<typeof judgeEndpoint>)
}

/** Every so many hours for five days, the last at its end. */
const fiveDays = (every: number) => Array.from({ length: 120 / every + 1 }, (_, index) => index * every)

describe('an endpoint', () => {
  it('fails since the first of its failed attempts, regardless of the order in which they ended', () => {
    const { health, disabledReason } = judgeEndpoint(none, [attempt(500, 1), attempt(undefined, 0)])
    expect([health, disabledReason]).toEqual([{ failingSince: at(0), lastFailedAt: at(1), failedAttempts: 2 }, null])
    const late = judgeEndpoint(health, [attempt(500, 0.5)])
    expect(late.health).toEqual({ failingSince: at(0), lastFailedAt: at(1), failedAttempts: 3 })
  })

  it('does not fail any more after a success, regardless of failures with it', () => {
    const { health } = afterFailures(fiveDays(8).slice(0, -1))
    expect(judgeEndpoint(health, [attempt(500, 120), attempt(204, 119)])).toEqual({
      health: none,
      disabledReason: null,
    })
  })

  it('is disabled after five days of failures', () => {
    expect(afterFailures(fiveDays(8).slice(0, -1)).disabledReason).toBeNull()
    const { health, disabledReason } = afterFailures(fiveDays(8))
    expect([health.failingSince, disabledReason]).toEqual([at(0), 'failing'])
  })

  it('is not disabled by fewer than 10 failures: a receiver that asks for a day between retries', () => {
    expect(afterFailures(fiveDays(24)).disabledReason).toBeNull()
    expect(afterFailures(Array.from({ length: 9 }, (_, day) => 24 * day)).disabledReason).toBeNull()
    expect(afterFailures(Array.from({ length: 10 }, (_, day) => 24 * day)).disabledReason).toBe('failing')
  })

  it('starts a new series after a silence of more than 36 hours: rare events whose retries all fail do not disable it', () => {
    let time = 0
    const retries = [0, ...retryDelaysMs].map((delayMs) => {
      time += delayMs / hourMs
      return time
    })
    const monthly = [0, 1, 2].flatMap((month) => retries.map((hours) => month * 720 + hours))
    const { health, disabledReason } = afterFailures(monthly)
    expect([health.failingSince, health.failedAttempts, disabledReason]).toEqual([at(1440), retries.length, null])
    // Without the silence, the same number of failures is enough.
    expect(afterFailures([...retries, ...retries.map((hours) => hours + 107)]).disabledReason).toBe('failing')
  })

  it('starts a new series if the time of the last failure is unknown', () => {
    const { health } = afterFailures([200], { failingSince: at(0), lastFailedAt: null, failedAttempts: 0 })
    expect(health).toEqual({ failingSince: at(200), lastFailedAt: at(200), failedAttempts: 1 })
  })

  it('is disabled immediately by 410', () => {
    expect(judgeEndpoint(none, [attempt(200, 0), attempt(410, 0)]).disabledReason).toBe('gone')
  })
})
