import { expect, it } from 'vitest'
import { retryAfterSeconds } from './retry-after.ts'

const now = new Date('2026-11-22T12:00:00Z')

it.each([
  ['0', 0],
  ['120', 120],
  ['0.357', 0.357],
  [' 5 ', 5],
  ['Sun, 22 Nov 2026 12:01:30 GMT', 90],
  ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
])('Retry-After: %s is %d seconds', (text, seconds) => {
  expect(retryAfterSeconds({ 'retry-after': text }, now)).toBe(seconds)
})

it.each(['', '-1', 'soon', '1e9', 'NaN', '99999999999', '2026-11-22', 'Sun, 99 Nov 2026 12:01:30 GMT'])(
  'Retry-After: %j is ignored',
  (text) => {
    expect(retryAfterSeconds({ 'retry-after': text }, now)).toBeUndefined()
    expect(retryAfterSeconds({}, now)).toBeUndefined()
  },
)
