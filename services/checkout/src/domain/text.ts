import { type Violation, violation } from '@storekeep/common/errors'

/** What is wrong with a text of so many characters. */
export function textViolation(text: string, at: string, min: number, max: number): Violation | undefined {
  const { length } = [...text]
  if (length < min || length > max) {
    const message = min === 0 ? `must have at most ${max} characters` : `must have ${min} to ${max} characters`
    return violation(at, 'length', message)
  }
  return text.includes('\0') ? violation(at, 'pattern', 'must not hold NUL characters') : undefined
}
