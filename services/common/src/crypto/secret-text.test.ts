import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSecret, decodeSecretOfCell, encodeSecret, encodeSecretOfCell } from './secret-text.ts'

const bytes = fc.uint8Array({ minLength: 1, maxLength: 100 })

describe('an encoded secret', () => {
  it('decodes to its bytes', () => {
    fc.assert(
      fc.property(bytes, (secret) => {
        expect(decodeSecret('skapi', encodeSecret('skapi', secret))).toEqual(Buffer.from(secret))
      }),
    )
  })

  it('consists of a prefix, an underscore, and letters and digits', () => {
    expect(encodeSecret('skapi', Buffer.alloc(41, 0xff))).toMatch(/^skapi_[A-Za-z0-9]{62}$/)
  })

  it('is rejected under another prefix', () => {
    const text = encodeSecret('skapi', Buffer.alloc(32, 7))
    expect(decodeSecret('skcus', text)).toBeUndefined()
    expect(decodeSecret('ska', text)).toBeUndefined()
  })

  it('is rejected once any character is changed, added or removed', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), fc.constantFrom(...'aZ09-_=+ \u0000'), (secret, at, replacement) => {
        const text = encodeSecret('skapi', secret)
        const index = at % text.length
        const changed = text.slice(0, index) + replacement + text.slice(index + 1)
        if (changed !== text) expect(decodeSecret('skapi', changed)).toBeUndefined()
        expect(decodeSecret('skapi', text.slice(0, index))).toBeUndefined()
        expect(decodeSecret('skapi', text + replacement)).toBeUndefined()
      }),
    )
  })

  it.each(['', 'skapi', 'skapi_', 'skapi_000000', 'SKAPI_AAAA000000', 'skapi_é'])('is never "%s"', (text) => {
    expect(decodeSecret('skapi', text)).toBeUndefined()
  })
})

describe('a secret with a cell', () => {
  /** With a first byte that leaves the first two of 56 digits free. */
  const versioned = fc.uint8Array({ minLength: 40, maxLength: 40 }).map((rest) => Buffer.concat([Buffer.of(1), rest]))
  const cell = fc.nat(63)

  it('decodes to its cell and bytes, and has the length of any other', () => {
    fc.assert(
      fc.property(cell, versioned, (number, secret) => {
        const text = encodeSecretOfCell('skapi', number, secret)
        expect(decodeSecretOfCell('skapi', text)).toEqual({ cell: number, bytes: secret })
        expect(text).toHaveLength(encodeSecret('skapi', secret).length)
      }),
    )
  })

  it('is the secret without a cell in cell 0', () => {
    fc.assert(
      fc.property(versioned, (secret) => {
        expect(encodeSecretOfCell('skapi', 0, secret)).toBe(encodeSecret('skapi', secret))
      }),
    )
  })

  it('is rejected with another cell, since the checksum covers it', () => {
    const text = encodeSecretOfCell('skapi', 7, Buffer.alloc(41, 1))
    expect(decodeSecretOfCell('skapi', text.replace('_07', '_08'))).toBeUndefined()
  })

  it('does not exist for bytes that need all digits', () => {
    expect(() => encodeSecretOfCell('skapi', 7, Buffer.alloc(41, 0xff))).toThrow(RangeError)
    expect(decodeSecretOfCell('skapi', encodeSecret('skapi', Buffer.alloc(41, 0xff)))).toBeUndefined()
  })
})
