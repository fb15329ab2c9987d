import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { accentStyle, contrast, surfaces } from './accent.ts'

/** 4,913 colors, evenly spread. */
const levels = Array.from({ length: 17 }, (_, index) => Math.min(255, index * 16))
const colors = levels.flatMap((red) =>
  levels.flatMap((green) =>
    levels.map((blue) => `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`),
  ),
)

const variable = (css: string, name: string) =>
  [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, value]) => value ?? '')

describe('the accent color', () => {
  it('is legible on the page, as is text on it, for every choice of color, in light and dark mode', () => {
    const illegible = colors.filter((color) => {
      const css = accentStyle(color)
      const [light = '', dark = ''] = variable(css, 'accent-text')
      const [onAccent = ''] = variable(css, 'on-accent')
      const pairs = [
        [color, onAccent],
        ...surfaces.light.map((surface) => [light, surface]),
        ...surfaces.dark.map((surface) => [dark, surface]),
      ] as const
      return pairs.some(([one = '', other = '']) => contrast(one, other) < 4.5)
    })
    expect(illegible).toEqual([])
  })

  it('is unchanged where it is legible', () => {
    expect(variable(accentStyle('#2457d6'), 'accent-text')[0]).toBe('#2457d6')
    expect(variable(accentStyle('#8fb0ff'), 'accent-text')[1]).toBe('#8fb0ff')
  })

  it('is checked against the surface colors of the stylesheet', () => {
    const css = readFileSync(new URL('../assets/style.css', import.meta.url), 'utf8')
    for (const [index, mode] of (['light', 'dark'] as const).entries()) {
      const found = ['page', 'card'].map((name) => variable(css, name)[index])
      expect(found).toEqual([...surfaces[mode]])
    }
  })

  it('has the contrast ratios that WCAG defines', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3)
  })
})
