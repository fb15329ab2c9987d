import { type Violation, violation } from '../errors/index.ts'

/** What is wrong with a text that must have `min` to `max` characters, and no NUL, which the database would refuse. */
export function textViolations(path: string, text: string, min: number, max: number): Violation[] {
  if (!hasLength(text, min, max)) {
    const expected = min === 0 ? `at most ${max}` : `${min} to ${max}`
    return [violation(path, 'length', `must have ${expected} characters`)]
  }
  return text.includes('\0') ? [violation(path, 'pattern', 'must not hold NUL characters')] : []
}

/** A character is a code point, however many units it takes. Looks at no more of the text than it has to. */
export function hasLength(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max) return false
  let count = 0
  for (const _character of text) count += 1
  return count >= min && count <= max
}
