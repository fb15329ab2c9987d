import { isSteamId, parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('account ids', () => {
  it('accepts exactly the SteamID64s of individual accounts', () => {
    const [first, last] = [76561197960265729n, 76561202255233023n]
    fc.assert(fc.property(fc.bigInt({ min: first, max: last }), (id) => isSteamId(String(id))))
    const outside = fc.oneof(
      fc.bigInt({ min: -last, max: first - 1n }),
      fc.bigInt({ min: last + 1n, max: last * 100n }),
    )
    fc.assert(fc.property(outside, (id) => !isSteamId(String(id))))
    for (const edge of [first, last]) expect(isSteamId(String(edge))).toBe(true)
    for (const text of [' 76561197960265729', '7.656119796e16', '٧٦٥٦١١٩٧٩٦٠٢٦٥٧٢٩', ''])
      expect(isSteamId(text)).toBe(false)
  })

  it('normalizes every notation of a UUID', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const bare = uuid.replaceAll('-', '')
        for (const text of [uuid, bare, uuid.toUpperCase(), bare.toUpperCase()]) expect(parseUuid(text)).toBe(uuid)
      }),
    )
    for (const text of [
      '',
      '{069a79f4-44e9-4726-a5be-fca90e38aaf5}',
      '069a79f444e94726a5befca90e38aaf',
      'x'.repeat(32),
    ]) {
      expect(parseUuid(text)).toBeUndefined()
    }
  })

  it('accepts an XUID of 1 to 20 digits and drops leading zeros', () => {
    expect(['0', '9'.repeat(20), '007', '000'].map(parseXboxXuid)).toEqual(['0', '9'.repeat(20), '7', '0'])
    for (const text of ['', '9'.repeat(21), '-1', '1e3', ' 1', '٧']) expect(parseXboxXuid(text)).toBeUndefined()
  })
})
