import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellOfLinkToken, createLinkToken } from './link-token.ts'

describe('a link token', () => {
  it('has 28 characters of a-z and 2-7, one for each five bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 18, maxLength: 18 }), (bytes) => {
        const token = createLinkToken(() => Buffer.from(bytes))
        expect(token).toMatch(/^[a-z2-7]{28}$/)
        let bits = 0n
        for (const letter of token) bits = (bits << 5n) | BigInt('abcdefghijklmnopqrstuvwxyz234567'.indexOf(letter))
        expect(bits).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`) >> 4n)
      }),
    )
  })

  it('names its cell, except for cell 0, whose tokens name none', () => {
    for (const cell of [1, 7, 63]) {
      const token = createLinkToken(randomBytes, cell)
      expect(token).toMatch(new RegExp(`^${cell}-[a-z2-7]{28}$`))
      expect(cellOfLinkToken(token)).toBe(cell)
    }
    const token = createLinkToken(randomBytes)
    expect(cellOfLinkToken(token)).toBe(0)
    for (const malformed of ['', token.slice(1), `${token}a`, `0-${token}`, `07-${token}`, `100-${token}`, `-${token}`])
      expect(cellOfLinkToken(malformed)).toBeUndefined()
  })

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => createLinkToken(randomBytes))).size).toBe(1000)
  })
})
