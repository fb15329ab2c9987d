import { expect, it } from 'vitest'
import { isEnabled } from './ban.ts'

it.each([
  ['never', null, true],
  ['later', 1001, true],
  ['now', 1000, false],
  ['earlier', 999, false],
])('whether a ban that expires %s is enabled', (_when, expiresAt, expected) => {
  const ban = { expiresAt: expiresAt === null ? null : new Date(expiresAt) }
  expect(isEnabled(ban, new Date(1000))).toBe(expected)
})
