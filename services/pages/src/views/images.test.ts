import { imageKey } from '@storekeep/proto/conventions/image-address'
import { expect, it } from 'vitest'
import { contrast } from '../http/accent.ts'
import { colorOf, initialsOf, logoImage, placeholderColors, productImage } from './images.ts'

const url = 'https://cdn.example/"><script>.png'
const site = { path: '/checkout' }
const base = `/checkout/images/7/${imageKey(url)}`

it('an image comes from the host of the page, in two resolutions, over the initials of the name', async () => {
  const product = { site, storeId: '7', url, name: 'Starter <pack>', size: 'line' } as const
  const shown = String(await productImage(product))
  expect(shown).toContain(`<img src="${base}/64.webp" srcset="${base}/64.webp 1x, ${base}/128.webp 2x"`)
  expect(shown).toContain('alt="" width="56" height="56" loading="lazy"')
  expect(shown).toContain('>SP</text></svg><img')
  for (const none of [undefined, '']) {
    const placeholder = String(await productImage({ ...product, url: none }))
    expect(placeholder).toContain('>SP</text>')
    expect(placeholder).not.toContain('<img')
  }
})

it('images need no inline style, no foreign host and no script', async () => {
  const shown = [
    await productImage({ site, storeId: '7', url, name: 'Starter <pack>', size: 'card' }),
    await logoImage({ site, storeId: '7', url, isSquare: false }),
  ].join('')
  expect(shown).not.toMatch(/style=|https?:|<script|onerror/)
})

it('a logo keeps its shape', async () => {
  const logo = (isSquare: boolean) => logoImage({ site, storeId: '7', url, isSquare })
  expect(String(await logo(true))).toMatch(/^<img width="40" src=.* height="40">$/)
  expect(String(await logo(false))).toMatch(/^<img class="wide" src=.* height="40">$/)
})

it.each([
  ['Starter pack', 'SP'],
  ['vip', 'V'],
  ['  1,000 Coins ', '10'],
  ['Épée du roi', 'ÉD'],
  ['E\u0301pe\u0301e', 'E\u0301'],
  ['新手礼包', '新'],
  ['<b>', 'B'],
  ['𝒜ce', '𝒜'],
  ['🗡️', ''],
  ['', ''],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

it('the color of a placeholder follows from the name, and white text is readable on each', () => {
  expect(colorOf('VIP')).toBe(colorOf('VIP'))
  const names = Array.from({ length: 100 }, (_, index) => `Product ${index}`)
  expect(new Set(names.map(colorOf))).toEqual(new Set(placeholderColors))
  for (const color of placeholderColors) expect(contrast(color, '#ffffff')).toBeGreaterThanOrEqual(4.5)
})
