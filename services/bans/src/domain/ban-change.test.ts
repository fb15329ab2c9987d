import { describe, expect, it } from 'vitest'
import type { BanState } from './ban.ts'
import { applyChange, checkChange } from './ban-change.ts'
import type { IdentityInput } from './identity-input.ts'

const bob: IdentityInput = { type: 'customer_name', value: 'Bob' }
const later = new Date('2027-01-01T00:00:00.000Z')
const before: BanState = {
  reason: 'fraud',
  identities: [{ type: 'customer_name', value: 'Bob', matchValue: 'bob' }],
  expiresAt: later,
}

describe('a ban change', () => {
  it('reads only the fields in the mask', () => {
    const input = { reason: 'new', identities: [{ type: 'invalid', value: '' } as const], expiresAt: later }
    expect(checkChange(input, [])).toEqual({})
    expect(checkChange(input, ['reason'])).toEqual({ reason: 'new' })
  })

  it('clears reason and expires_at, but never identities', () => {
    expect(checkChange({ identities: [] }, ['reason', 'expires_at'])).toEqual({ reason: '', expiresAt: null })
    expect(() => checkChange({ identities: [] }, ['identities'])).toThrow('must have at least 1 item')
  })

  it('accepts an expires_at in the past', () => {
    expect(checkChange({ identities: [], expiresAt: new Date(0) }, ['expires_at'])).toEqual({ expiresAt: new Date(0) })
  })

  it('rejects other paths in the mask', () => {
    for (const path of ['store_id', '__proto__']) {
      expect(() => checkChange({ identities: [] }, [path])).toThrow(`"${path}"`)
    }
  })

  it('is undefined when nothing changes', () => {
    expect(applyChange(before, {})).toBeUndefined()
    const same = checkChange(
      { reason: 'fraud', identities: [bob, { ...bob, value: 'BOB' }], expiresAt: new Date(later) },
      ['reason', 'identities', 'expires_at'],
    )
    expect(applyChange(before, same)).toBeUndefined()
  })

  it('replaces the whole identity list', () => {
    const change = checkChange({ identities: [{ type: 'ip', value: '::1' }] }, ['identities'])
    expect(applyChange(before, change)).toEqual({
      ...before,
      identities: [{ type: 'ip', value: '::1', matchValue: '::1' }],
    })
  })
})
