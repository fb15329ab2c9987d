import { describe, expect, it } from 'vitest'
import { hasLength, textViolations } from './index.ts'

describe('a text', () => {
  it.each<[string, number, number, boolean]>([
    ['', 0, 0, true],
    ['', 1, 2, false],
    ['a', 1, 2, true],
    ['🦊🦊', 1, 2, true],
    ['🦊🦊', 3, 4, false],
    ['🦊aa', 1, 2, false],
    ['aaaaa', 1, 2, false],
  ])('%j has %d to %d characters: %j', (text, min, max, expected) => {
    expect(hasLength(text, min, max)).toBe(expected)
  })

  it('is rejected for its length and for NUL characters', () => {
    const refused = (text: string, min: number) => textViolations('a.b', text, min, 2).map(({ message }) => message)
    expect(refused('', 1)).toEqual(['must have 1 to 2 characters'])
    expect(refused('abc', 0)).toEqual(['must have at most 2 characters'])
    expect(refused('\0', 1)).toEqual(['must not contain NUL characters'])
    expect(refused('ab', 1)).toEqual([])
  })
})
