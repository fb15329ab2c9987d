import { randomBytes } from 'node:crypto'
import { encodeSecret, encodeSecretOfCell } from '@storekeep/common/crypto'
import { cellOf, flakeIdToBytes } from '@storekeep/common/flake'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeToken, encodeToken, hashTokenSecret } from './game-server-token.ts'

const id = '411486491630370816'
const secret = randomBytes(32)

describe('the token of a game server', () => {
  it('contains the id of the server and the secret, in characters that JSON files and console variables keep', () => {
    const text = encodeToken(id, secret)
    expect(text).toMatch(/^skgs_[A-Za-z0-9]{62}$/)
    expect(decodeToken(text)).toEqual({ id, secret })
  })

  it('names the cell of its id in its first two digits', () => {
    for (const cell of [0, 1, 7, 10, 63]) {
      const idOfCell = String((1n << 40n) | BigInt(cell << 16))
      expect(encodeToken(idOfCell, secret).slice(5, 7)).toBe(String(cell).padStart(2, '0'))
    }
  })

  it.each([
    ['nothing', ''],
    ['a cut token', encodeToken(id, secret).slice(0, -1)],
    ['a very long text', `skgs_${'A'.repeat(1_000_000)}`],
    ['an API key', encodeSecret('skapi', Buffer.concat([Buffer.of(1), flakeIdToBytes(id), secret]))],
    [
      'a token that names another cell than its id',
      encodeSecretOfCell('skgs', cellOf(id) + 1, Buffer.concat([Buffer.of(1), flakeIdToBytes(id), secret])),
    ],
    ['a later version', encodeSecret('skgs', Buffer.alloc(41, 2))],
  ])('is not decoded from %s', (_what, text) => {
    expect(decodeToken(text)).toBeUndefined()
  })

  it('is decoded without throwing, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeToken(text) ?? decodeToken(`skgs_${text}`)).toBeUndefined()
      }),
    )
  })

  it('is stored as a hash that only its secret has', () => {
    expect(hashTokenSecret(secret)).toEqual(hashTokenSecret(Buffer.from(secret)))
    expect(hashTokenSecret(secret)).not.toEqual(hashTokenSecret(randomBytes(32)))
  })
})
