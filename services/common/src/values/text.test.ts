import { describe, expect, it } from 'vitest'
import { textViolations } from './index.ts'

describe('a text', () => {
  it('is rejected for its length and for NUL characters', () => {
    const rejected = (text: string, min: number) => textViolations('a.b', text, min, 2).map(({ message }) => message)
    expect(rejected('', 1)).toEqual(['must have 1 to 2 characters'])
    expect(rejected('abc', 0)).toEqual(['must have at most 2 characters'])
    expect(rejected('\0', 1)).toEqual(['must not contain NUL characters'])
    expect(rejected('ab', 1)).toEqual([])
  })
})
