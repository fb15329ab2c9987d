import { randomBytes } from 'node:crypto'
import { encodeSecret, encodeSecretOfCell } from '@storekeep/common/crypto'
import { cellOf, flakeIdToBytes } from '@storekeep/common/flake'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeApiKey, encodeApiKey, hashSecret, matchesHash } from './api-key-codec.ts'

const id = '411486491630370816'
const secret = randomBytes(32)

describe('an encoded API key', () => {
  it('contains the id and the secret of the key', () => {
    const text = encodeApiKey(id, secret)
    expect(text).toMatch(/^skapi_[A-Za-z0-9]{62}$/)
    expect(decodeApiKey(text)).toEqual({ id, secret })
  })

  it('names the cell of its id in its first two digits, which are 00 in cell 0 as they always were', () => {
    const idOf = (cell: number) => String((1n << 40n) | BigInt(cell << 16))
    expect(encodeApiKey(idOf(0), secret)).toBe(
      encodeSecret('skapi', Buffer.concat([Buffer.of(1), flakeIdToBytes(idOf(0)), secret])),
    )
    for (const cell of [0, 1, 7, 10, 63]) {
      const text = encodeApiKey(idOf(cell), secret)
      expect(text).toMatch(new RegExp(`^skapi_${String(cell).padStart(2, '0')}[A-Za-z0-9]{60}$`))
      expect(decodeApiKey(text)).toEqual({ id: idOf(cell), secret })
    }
  })

  it('a key that names another cell than its id is not decoded', () => {
    const bytes = Buffer.concat([Buffer.of(1), flakeIdToBytes(id), secret])
    expect(decodeApiKey(encodeSecretOfCell('skapi', cellOf(id), bytes))).toEqual({ id, secret })
    expect(decodeApiKey(encodeSecretOfCell('skapi', cellOf(id) + 1, bytes))).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['noise', 'hello'],
    ['a cut key', encodeApiKey(id, secret).slice(0, -1)],
    ['a mistyped key', encodeApiKey(id, secret).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['a very long text', `skapi_${'A'.repeat(1_000_000)}`],
    ['another kind of secret', encodeSecret('skcus', Buffer.alloc(41, 1))],
    ['a secret of another length', encodeSecret('skapi', Buffer.alloc(40, 1))],
    ['a later version', encodeSecret('skapi', Buffer.alloc(41, 2))],
    ['an id of zero', encodeSecret('skapi', Buffer.concat([Buffer.of(1), Buffer.alloc(40)]))],
  ])('is not decoded from %s', (_what, text) => {
    expect(decodeApiKey(text)).toBeUndefined()
  })
})

describe('decoding an API key', () => {
  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeApiKey(text) ?? decodeApiKey(`skapi_${text}`)).toBeUndefined()
      }),
    )
  })
})

describe('the hash of a secret', () => {
  const [pepper, older] = [randomBytes(32), randomBytes(32)]

  it('matches only the same secret and pepper', () => {
    const hash = hashSecret([pepper], secret)
    expect(matchesHash([pepper], secret, hash)).toBe(true)
    expect(matchesHash([older], secret, hash)).toBe(false)
    expect(matchesHash([pepper], randomBytes(32), hash)).toBe(false)
    expect(matchesHash([pepper], secret, hash.subarray(1))).toBe(false)
    expect(matchesHash([pepper], secret, undefined)).toBe(false)
  })

  it('uses the first pepper and is verified with any, so peppers can rotate', () => {
    const before = hashSecret([older], secret)
    expect(matchesHash([pepper, older], secret, before)).toBe(true)
    expect(matchesHash([older, pepper], secret, hashSecret([pepper, older], secret))).toBe(true)
    expect(hashSecret([pepper, older], secret)).toEqual(hashSecret([pepper], secret))
    expect(matchesHash([pepper], secret, before)).toBe(false)
  })
})
