import { expect, it } from 'vitest'
import { parseTimestamp } from './type-parsers.ts'

it('a timestamp has the value of a Date from year 1 to 9999, in milliseconds', () => {
  const last = Date.UTC(9999, 11, 31)
  // About a hundred days, so that all days of the year and all times of the day occur.
  for (let ms = Date.parse('0001-01-01T00:00:00Z'); ms < last; ms += 8_647_413_129) {
    const text = new Date(ms).toISOString().replace('T', ' ').replace('Z', '+00')
    if (parseTimestamp(text)?.valueOf() !== ms) expect(parseTimestamp(text), text).toEqual(new Date(ms))
  }
  expect(parseTimestamp('2026-01-02 03:04:05+00')).toEqual(new Date('2026-01-02T03:04:05Z'))
  expect(parseTimestamp('2026-01-02 03:04:05.1+00')).toEqual(new Date('2026-01-02T03:04:05.100Z'))
  expect(parseTimestamp('2026-01-02 03:04:05.678999+00')).toEqual(new Date('2026-01-02T03:04:05.678Z'))
})
