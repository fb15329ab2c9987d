import { type Violation, violation } from '@storekeep/common/errors'

/** What is wrong with a text that must have `min` to `max` characters; a character is a code point. */
export function textViolations(path: string, text: string, min: number, max: number): Violation[] {
  const length = [...text].length
  if (length < min || length > max) {
    const expected = min === 0 ? `at most ${max}` : `${min} to ${max}`
    return [violation(path, 'length', `must have ${expected} characters`)]
  }
  return text.includes('\0') ? [violation(path, 'pattern', 'must not hold NUL characters')] : []
}
