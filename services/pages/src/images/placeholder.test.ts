import { expect, it } from 'vitest'
import { contrast } from '../http/accent.ts'
import {
  drawPlaceholder,
  formatPlaceholder,
  parsePlaceholder,
  placeholderColors,
  placeholderOf,
} from './placeholder.ts'

it.each([
  ['Starter pack', 'SP'],
  ['vip', 'V'],
  ['  1,000 Coins ', '10'],
  ['Épée du roi', 'ÉD'],
  ['E\u0301pe\u0301e', 'E\u0301'],
  ['新手礼包', '新'],
  ['<b>', 'B'],
  ['𝒜ce', '𝒜'],
  ['ßx y', 'SSY'],
  ['🗡️', ''],
  ['', ''],
])('the initials of "%s" are "%s", also after they were part of an address', (name, initials) => {
  const placeholder = placeholderOf(name)
  expect(placeholder.initials).toBe(initials)
  expect(parsePlaceholder(formatPlaceholder(placeholder))).toEqual(placeholder)
})

it.each(['', '8SP', 'SP', '1<svg>', '1S P', '1"', `1S${'\u0301'.repeat(50)}`, '1ABCDE'])(
  'an address with "%s" names no placeholder',
  (text) => {
    expect(parsePlaceholder(text)).toBeUndefined()
  },
)

it('the color of a placeholder follows from the name, and white text is readable on each', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `Product ${index}`)
  expect(new Set(names.map((name) => placeholderOf(name).color)).size).toBe(placeholderColors.length)
  for (const color of placeholderColors) expect(contrast(color, '#ffffff')).toBeGreaterThanOrEqual(4.5)
  const drawn = String(await drawPlaceholder(placeholderOf('Starter pack'), 22))
  expect(drawn).toContain('>SP</text>')
  expect(drawn).not.toMatch(/style|script|href/)
})
