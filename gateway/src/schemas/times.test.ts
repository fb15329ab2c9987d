import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printTime } from './times.ts'

describe('a time in a response', () => {
  it('is printed as Date prints it, whatever the previous one', () => {
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
