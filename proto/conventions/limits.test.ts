import { expect, it } from 'vitest'
import { hasLength } from './limits.ts'

it.each<[string, number, number, boolean]>([
  ['', 0, 0, true],
  ['', 1, 2, false],
  ['a', 1, 2, true],
  ['🦊🦊', 1, 2, true],
  ['🦊🦊', 3, 4, false],
  ['🦊aa', 1, 2, false],
  ['aaaaa', 1, 2, false],
])('a text %j has %d to %d characters: %j', (text, min, max, expected) => {
  expect(hasLength(text, min, max)).toBe(expected)
})
