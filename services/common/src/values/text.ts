import { hasLength } from '@storekeep/proto/conventions/limits'
import { type Violation, violation } from '../errors/index.ts'

/** Validates that a text has `min` to `max` characters and no NUL, which Postgres cannot store. */
export function textViolations(path: string, text: string, min: number, max: number): Violation[] {
  if (!hasLength(text, min, max)) {
    const expected = min === 0 ? `at most ${max}` : `${min} to ${max}`
    return [violation(path, 'length', `must have ${expected} characters`)]
  }
  return text.includes('\0') ? [violation(path, 'pattern', 'must not contain NUL characters')] : []
}
