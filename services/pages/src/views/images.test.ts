import { imageKey } from '@storekeep/proto/conventions/image-address'
import { expect, it } from 'vitest'
import { logoImage, productImage } from './images.ts'

const url = 'https://cdn.example/"><script>.png'
const site = { path: '/checkout' }
const base = `/checkout/images/7/${imageKey(url)}`

it('an image comes from the host of the page, in two resolutions, with the initials of the name as placeholder', async () => {
  const product = { site, storeId: '7', url, name: 'Starter <pack>', size: 'line' } as const
  const shown = String(await productImage(product))
  const or = /\?or=[0-7]SP/
  expect(shown.replaceAll(new RegExp(or, 'g'), '')).toContain(
    `<img src="${base}/64.webp" srcset="${base}/64.webp 1x, ${base}/128.webp 2x"`,
  )
  expect(shown).toMatch(or)
  expect(shown).toContain('alt="" width="56" height="56" loading="lazy"')
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
  expect(shown).not.toMatch(/style=|https:|<script|onerror/)
})

it('a logo keeps its shape', async () => {
  const logo = (isSquare: boolean) => logoImage({ site, storeId: '7', url, isSquare })
  expect(String(await logo(true))).toMatch(/^<img width="40" src=.* height="40">$/)
  expect(String(await logo(false))).toMatch(/^<img class="wide" src=.* height="40">$/)
})
