import { describe, expect, it } from 'vitest'
import { flakeIdFromBytes, flakeIdToBytes, isFlakeId } from './index.ts'

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

  it('is not decoded from bytes that contain none', () => {
    expect(flakeIdFromBytes(Buffer.alloc(8))).toBeUndefined()
    expect(flakeIdFromBytes(Buffer.alloc(8, 0xff))).toBeUndefined()
    expect(flakeIdFromBytes(Buffer.alloc(7, 1))).toBeUndefined()
  })
})
