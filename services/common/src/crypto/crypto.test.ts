import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base62Decode, base62Encode } from './base62.ts'
import { createSecretBox } from './secret-box.ts'
import { crc32Base62 } from './secret-text.ts'

const key = () => randomBytes(32).toString('base64url')

describe('a secret box', () => {
  const old = key()
  const box = createSecretBox(old)

  it('opens what it sealed and seals the same value differently each time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (plain, context) => {
        const sealed = box.seal(plain, context)
        expect(box.open(sealed, context)).toEqual(Buffer.from(plain))
        expect(box.seal(plain, context)).not.toEqual(sealed)
      }),
    )
  })

  it('does not open a value under another context or with any bit changed', () => {
    const sealed = box.seal(Buffer.from('secret'), 'here')
    expect(() => box.open(sealed, 'there')).toThrow()
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => box.open(changed, 'here')).toThrow()
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => box.open(sealed.subarray(0, length), 'here')).toThrow()
    }
  })

  it('opens with every key of the list and seals with the first', () => {
    const fresh = key()
    const sealedBefore = box.seal(Buffer.from('secret'), 'here')
    const both = createSecretBox(`${fresh},${old}`)
    expect(both.open(sealedBefore, 'here').toString()).toBe('secret')
    expect(() => box.open(both.seal(Buffer.from('secret'), 'here'), 'here')).toThrow('unknown key')
    expect(() => createSecretBox(fresh).open(sealedBefore, 'here')).toThrow('unknown key')
  })

  it.each(['', 'short', `${key()},`, `${key()}AAAA`])('rejects an invalid key list', (keys) => {
    expect(() => createSecretBox(keys)).toThrow('must be comma-separated keys of 32 bytes')
  })
})

describe('base62', () => {
  it('has a length that depends only on the number of bytes, and only letters and digits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(base62Encode(bytes)).toMatch(/^[0-9A-Za-z]{43}$/)
      }),
    )
    expect(base62Encode(Buffer.alloc(4))).toBe('000000')
    expect(base62Encode(Buffer.alloc(4, 0xff))).toBe('4gfFC3')
    expect(base62Encode(Buffer.alloc(0))).toBe('')
  })

  it('decodes to the original bytes, and rejects any other text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(base62Decode(base62Encode(bytes))).toEqual(Buffer.from(bytes))
      }),
    )
    for (const text of ['0', '4gfFC4', '00000-', '00000é']) expect(base62Decode(text)).toBeUndefined()
  })
})

describe('the CRC32 checksum', () => {
  it('equals the standard CRC32', () => {
    expect(crc32Base62('123456789')).toBe(base62Encode(Buffer.from('cbf43926', 'hex')))
  })
})
