import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellOf, firstFlakeIdOf, flakeIdFromBytes, flakeIdToBytes, isFlakeId, nodeNumberOf } from './flake-id.ts'

describe('a flake id', () => {
  it.each(['1', '411486491630370816', '9223372036854775807'])('accepts %s and survives encoding as bytes', (id) => {
    expect(isFlakeId(id)).toBe(true)
    expect(flakeIdFromBytes(flakeIdToBytes(id))).toBe(id)
  })

  it.each(['', '0', '-1', '01', '1.0', '1e3', ' 1', '1\n', 'abc', '9223372036854775808', '10000000000000000000'])(
    'rejects "%s"',
    (text) => {
      expect(isFlakeId(text)).toBe(false)
      expect(() => flakeIdToBytes(text)).toThrow(RangeError)
    },
  )

  it('is a number from 1 to 2^63 - 1', () => {
    const largest = 2n ** 63n - 1n
    const near = fc.bigInt({ min: -20n, max: 20n }).map((offset) => largest + offset)
    const anyDigits = fc.bigInt({ min: 0n, max: 10n ** 20n })
    // Differs from the largest in one digit, which is where a wrong pattern would fail.
    const digits = [...String(largest)]
    const oneDigit = fc
      .tuple(fc.nat(digits.length - 1), fc.nat(9))
      .map(([index, digit]) => BigInt(digits.with(index, String(digit)).join('')))
    fc.assert(
      fc.property(fc.oneof(near, anyDigits, oneDigit), (value) => {
        expect(isFlakeId(String(value))).toBe(value >= 1n && value <= largest)
      }),
    )
  })

  it('of a time is at least the first one of it, also outside of the times of ids', () => {
    // The example of contract section A.
    const time = new Date('2025-04-03T10:02:46.654Z').getTime()
    const id = 411486491630370816n
    expect(BigInt(firstFlakeIdOf(new Date(time)))).toBeLessThanOrEqual(id)
    expect(BigInt(firstFlakeIdOf(new Date(time + 1)))).toBeGreaterThan(id)
    expect(firstFlakeIdOf(new Date(0))).toBe('0')
    expect(firstFlakeIdOf(new Date('9999-12-31T00:00:00Z'))).toBe('9223372036854775807')
  })

  it('is not decoded from bytes that contain none', () => {
    expect(flakeIdFromBytes(Buffer.alloc(8))).toBeUndefined()
    expect(flakeIdFromBytes(Buffer.alloc(8, 0xff))).toBeUndefined()
    expect(flakeIdFromBytes(Buffer.alloc(7, 1))).toBeUndefined()
  })
})

describe('the cell of an id', () => {
  it('is in bits 16 to 21, regardless of the other bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (id) => {
        expect(cellOf(String(id))).toBe(Number((id >> 16n) & 63n))
      }),
    )
    expect(cellOf('9223372036854775807')).toBe(63)
  })

  it('is part of the node number, which no two services of any cells share', () => {
    const cells = Array.from({ length: 64 }, (_, cell) => cell)
    const services = Array.from({ length: 16 }, (_, service) => service)
    const nodes = cells.flatMap((cell) => services.map((service) => nodeNumberOf(cell, service)))
    expect(nodes).toEqual(Array.from({ length: 1024 }, (_, node) => node))
    for (const cell of cells) expect(cellOf(String((1n << 22n) | BigInt(nodeNumberOf(cell, 15) << 12)))).toBe(cell)
  })

  it.each([
    [-1, 0],
    [64, 0],
    [0.5, 0],
    [0, -1],
    [0, 16],
    [0, Number.NaN],
  ])('has no node number for cell %s and service %s', (cell, service) => {
    expect(() => nodeNumberOf(cell, service)).toThrow(RangeError)
  })
})
