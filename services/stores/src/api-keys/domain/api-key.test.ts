import { describe, expect, it } from 'vitest'
import { checkApiKey, keyState } from './api-key.ts'
import { scopes } from './scope.ts'

const now = new Date('2026-11-20T12:00:00Z')
const before = new Date(now.getTime() - 1)
const after = new Date(now.getTime() + 1)
const input = { name: 'game server', scopes: [], expiresAt: undefined }

describe('a new API key', () => {
  it('has every scope and no expiry by default', () => {
    expect(checkApiKey(input, now)).toEqual({ name: 'game server', scopes, expiresAt: null })
  })

  it('has each scope once, in a fixed order', () => {
    const chosen = ['customers:write', 'bans:read', 'customers:write']
    expect(checkApiKey({ ...input, scopes: chosen }, now).scopes).toEqual(['bans:read', 'customers:write'])
  })

  it('reports every invalid field', () => {
    const wrong = { name: ' ', scopes: ['bans:read', 'bans:delete', 'BANS:READ', ''], expiresAt: now }
    expect(() => checkApiKey(wrong, now)).toThrow(
      expect.objectContaining({
        code: 'validation-failed',
        violations: [
          expect.objectContaining({ path: 'name', validation: 'required' }),
          expect.objectContaining({ path: 'scopes.1', validation: 'enum' }),
          expect.objectContaining({ path: 'scopes.2', validation: 'enum' }),
          expect.objectContaining({ path: 'scopes.3', validation: 'enum' }),
          expect.objectContaining({ path: 'expires_at', validation: 'min' }),
        ],
      }),
    )
  })

  it('rejects an invalid expiry time', () => {
    expect(() => checkApiKey({ ...input, expiresAt: new Date(Number.NaN) }, now)).toThrow('must be in the future')
    expect(() => checkApiKey({ ...input, expiresAt: new Date('+010000-01-01T00:00:00Z') }, now)).toThrow('year 10000')
  })
})

describe('an API key', () => {
  it.each([
    ['active', null, null],
    ['active', null, after],
    ['expired', null, now],
    ['expired', null, before],
    ['revoked', before, null],
    ['revoked', before, after],
    ['revoked', before, before],
  ])('is %s when revoked at %s and expiring at %s', (state, revokedAt, expiresAt) => {
    expect(keyState({ revokedAt, expiresAt }, now)).toBe(state)
  })
})
