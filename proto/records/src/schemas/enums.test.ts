import { describe, expect, it } from 'vitest'
import { nameOf } from './enums.ts'

describe('nameOf', () => {
  it('returns the public name and throws for a value without one unless there is a fallback', () => {
    const values = { none: 1, fixed: 2 }
    expect(nameOf(values, 2)).toBe('fixed')
    expect(() => nameOf(values, 3)).toThrow('returned 3')
    expect(nameOf(values, 3, 'unknown')).toBe('unknown')
  })
})
