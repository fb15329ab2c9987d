import { expect, it } from 'vitest'
import { discountedPeriods } from './discounts.ts'

it.each([
  ['once', null, null, 1, 'month', 1],
  ['forever', null, null, 1, 'month', null],
  ['repeating', null, 5, 2, 'week', 5],
  ['repeating', 3, null, 1, 'month', 3],
  ['repeating', 3, null, 2, 'month', 2],
  ['repeating', 12, null, 1, 'year', 1],
  ['repeating', 13, null, 1, 'year', 2],
  ['repeating', 1, null, 1, 'week', 5],
  ['repeating', 1, null, 30, 'day', 2],
] as const)(
  '%s for %s months or %s intervals of %d %s discounts %s periods',
  (kind, months, intervals, value, scale, periods) => {
    const duration = kind === 'repeating' ? { kind, months, intervals } : { kind }
    expect(discountedPeriods(duration, { intervalValue: value, intervalScale: scale })).toBe(periods)
  },
)
