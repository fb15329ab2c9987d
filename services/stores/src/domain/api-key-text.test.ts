import { randomBytes } from 'node:crypto'
import { encodeSecret } from '@storekeep/common/crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashSecret, isHashOf, readApiKey, writeApiKey } from './api-key-text.ts'

const id = '411486491630370816'
const secret = randomBytes(32)

describe('the text of an API key', () => {
  it('holds the id and the secret of the key', () => {
    const text = writeApiKey(id, secret)
    expect(text).toMatch(/^skapi_[A-Za-z0-9]{62}$/)
    expect(readApiKey(text)).toEqual({ id, secret })
  })

  it.each([
    ['nothing', ''],
    ['noise', 'hello'],
    ['a cut key', writeApiKey(id, secret).slice(0, -1)],
    ['a mistyped key', writeApiKey(id, secret).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['a very long text', `skapi_${'A'.repeat(1_000_000)}`],
    ['another kind of secret', encodeSecret('skcus', Buffer.alloc(41, 1))],
    ['a secret of another length', encodeSecret('skapi', Buffer.alloc(40, 1))],
    ['a later version', encodeSecret('skapi', Buffer.alloc(41, 2))],
    ['an id of zero', encodeSecret('skapi', Buffer.concat([Buffer.of(1), Buffer.alloc(40)]))],
  ])('is not read from %s', (_what, text) => {
    expect(readApiKey(text)).toBeUndefined()
  })
})

describe('reading an API key', () => {
  it('survives every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readApiKey(text) ?? readApiKey(`skapi_${text}`)).toBeUndefined()
      }),
    )
  })
})

describe('the hash of a secret', () => {
  const [pepper, older] = [randomBytes(32), randomBytes(32)]

  it('is known again with the same secret and pepper only', () => {
    const hash = hashSecret([pepper], secret)
    expect(isHashOf([pepper], secret, hash)).toBe(true)
    expect(isHashOf([older], secret, hash)).toBe(false)
    expect(isHashOf([pepper], randomBytes(32), hash)).toBe(false)
    expect(isHashOf([pepper], secret, hash.subarray(1))).toBe(false)
    expect(isHashOf([pepper], secret, undefined)).toBe(false)
  })

  it('is made with the first pepper and known with any, so that a pepper can be replaced', () => {
    const before = hashSecret([older], secret)
    expect(isHashOf([pepper, older], secret, before)).toBe(true)
    expect(isHashOf([older, pepper], secret, hashSecret([pepper, older], secret))).toBe(true)
    expect(hashSecret([pepper, older], secret)).toEqual(hashSecret([pepper], secret))
    expect(isHashOf([pepper], secret, before)).toBe(false)
  })
})
