import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { printTime, timeInput } from './times.ts'

describe('a time in a response', () => {
  it('is printed as Date prints it, regardless of the previous time', () => {
    const day = 86_400_000
    const start = fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 11, 31) })
    const steps = fc.array(fc.integer({ min: -2 * day, max: 2 * day }), { maxLength: 5 })
    fc.assert(
      fc.property(start, steps, (first, others) => {
        for (const ms of [first, ...others.map((step) => first + step)]) {
          expect(printTime(timestampFromMs(ms))).toBe(new Date(ms).toISOString())
        }
      }),
    )
  })

  it('is null if absent', () => {
    expect(printTime(undefined)).toBeNull()
  })
})

describe('a time in a request', () => {
  afterEach(() => vi.unstubAllEnvs())

  const read = (text: string) => timeInput.safeParse(text).data?.toISOString()

  it.each([
    ['2026-11-20T14:35:17', '2026-11-20T14:35:17.000Z'],
    ['2026-11-20T14:35:17.042999', '2026-11-20T14:35:17.042Z'],
    ['2026-03-29T02:30:00', '2026-03-29T02:30:00.000Z'],
    ['2026-11-20t14:35:17', '2026-11-20T14:35:17.000Z'],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00.000Z'],
  ])('is in UTC without an offset, in any time zone of the process: %s', (text, expected) => {
    expect(inTimeZones(() => read(text))).toEqual([expected, expected, expected])
  })

  it.each([
    ['2026-11-20T14:35:17Z', '2026-11-20T14:35:17.000Z'],
    ['2026-11-20T14:35:17z', '2026-11-20T14:35:17.000Z'],
    ['2026-11-20T14:35:17+05:30', '2026-11-20T09:05:17.000Z'],
    ['2026-11-20T23:59:59.999-12:00', '2026-11-21T11:59:59.999Z'],
  ])('is converted from its offset: %s', (text, expected) => {
    expect(inTimeZones(() => read(text))).toEqual([expected, expected, expected])
  })

  it.each([
    '',
    'tomorrow',
    '1795185317',
    '2027-01-01',
    '2027-01-01T00:00',
    '2027-01-01T00:00Z',
    '2027-01-01 00:00:00Z',
    '2027-01-01T00:00:00 Z',
    '2027-01-01T00:00:00+0530',
    '2027-01-01T00:00:00+24:00',
    '2027-02-29T00:00:00',
    '2027-02-29T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-01T24:00:00',
    '2027-01-01T24:00:00Z',
    '2027-01-01T00:00:60Z',
    '+012027-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
  ])('is rejected in any other form: %j', (text) => {
    expect(timeInput.safeParse(text).success).toBe(false)
  })
})

/** The results of `read` in a process at UTC, and east and west of it. */
function inTimeZones<T>(read: () => T): T[] {
  return ['UTC', 'Europe/Berlin', 'America/Los_Angeles'].map((zone) => {
    vi.stubEnv('TZ', zone)
    return read()
  })
}
