import { describe, expect, it } from 'vitest'
import { errorCatalogue, errors, isErrorCode, violation } from './index.ts'

describe('the error catalogue', () => {
  it('is the closed list of the contract, each with its HTTP status', () => {
    expect(
      Object.fromEntries(Object.entries(errorCatalogue).map(([code, { httpStatus }]) => [code, httpStatus])),
    ).toEqual({
      'bad-request': 400,
      'validation-failed': 400,
      unauthorized: 401,
      forbidden: 403,
      'customer-banned': 403,
      'platform-not-allowed': 403,
      'not-found': 404,
      'method-not-allowed': 405,
      conflict: 409,
      'payload-too-large': 413,
      'unsupported-media-type': 415,
      'idempotency-mismatch': 422,
      'too-many-requests': 429,
      'internal-error': 500,
      'service-unavailable': 503,
    })
  })

  it('knows its codes and nothing that every object has', () => {
    expect([isErrorCode('conflict'), isErrorCode('nonsense'), isErrorCode('toString')]).toEqual([true, false, false])
  })
})

describe('a fault', () => {
  it('says in its message what to fix first and how much more there is', () => {
    const one = violation('steam_id', 'format', 'must be a Steam ID 64')
    expect(errors.validationFailed([one]).message).toBe('steam_id: must be a Steam ID 64')
    expect(errors.validationFailed([one, one, one]).message).toBe('steam_id: must be a Steam ID 64 (and 2 more)')
  })

  it('keeps its cause out of what it says', () => {
    const fault = errors.unavailable(new Error('connect ECONNREFUSED 10.0.0.7:5432'))
    expect(fault.message).not.toContain('10.0.0.7')
    expect(fault).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: 1 })
  })
})
