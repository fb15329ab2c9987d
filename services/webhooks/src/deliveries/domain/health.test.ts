import { describe, expect, it } from 'vitest'
import { judgeEndpoint } from './health.ts'

const dayMs = 86_400_000
const at = (days: number) => new Date(1_700_000_000_000 + days * dayMs)
const attempt = (status: number | undefined, days: number) => ({ status, startedAt: at(days) })

describe('an endpoint', () => {
  it('fails since the first of its failed attempts', () => {
    const judged = judgeEndpoint(null, [attempt(500, 1), attempt(undefined, 0)])
    expect(judged).toEqual({ failingSince: at(0), disabledReason: null })
    expect(judgeEndpoint(at(0), [attempt(500, 4.9)])).toEqual({ failingSince: at(0), disabledReason: null })
  })

  it('does not fail any more after a success, whatever failed with it', () => {
    expect(judgeEndpoint(at(0), [attempt(500, 9), attempt(204, 8)])).toEqual({
      failingSince: null,
      disabledReason: null,
    })
  })

  it('is disabled after five days of failures', () => {
    expect(judgeEndpoint(at(0), [attempt(500, 5)])).toEqual({ failingSince: at(0), disabledReason: 'failing' })
  })

  it('is disabled at once by 410', () => {
    expect(judgeEndpoint(null, [attempt(200, 0), attempt(410, 0)]).disabledReason).toBe('gone')
  })
})
