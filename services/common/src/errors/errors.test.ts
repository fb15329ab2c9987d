import { describe, expect, it } from 'vitest'
import { errors, isErrorCode, violation } from './index.ts'

describe('the error codes', () => {
  it('do not include names of Object.prototype', () => {
    expect([isErrorCode('conflict'), isErrorCode('nonsense'), isErrorCode('toString')]).toEqual([true, false, false])
  })
})

describe('a fault', () => {
  it('names the first violation in its message, and the number of others', () => {
    const one = violation('steam_id', 'format', 'must be a SteamID64')
    expect(errors.validationFailed([one]).message).toBe('steam_id: must be a SteamID64')
    expect(errors.validationFailed([one, one, one]).message).toBe('steam_id: must be a SteamID64 (and 2 more)')
  })

  it('does not reveal its cause', () => {
    const fault = errors.unavailable(new Error('connect ECONNREFUSED 10.0.0.7:5432'))
    expect(fault.message).not.toContain('10.0.0.7')
    expect(fault).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: 1 })
  })
})
