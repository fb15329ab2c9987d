import { describe, expect, it } from 'vitest'
import { nameOf } from './enums.ts'

describe('the name of a value', () => {
  it('is its own, and none is made up for a value of a newer service', () => {
    const values = { none: 1, fixed: 2 }
    expect(nameOf(values, 2)).toBe('fixed')
    expect(() => nameOf(values, 3)).toThrow('answered 3')
    expect(nameOf(values, 3, 'unknown')).toBe('unknown')
  })
})
