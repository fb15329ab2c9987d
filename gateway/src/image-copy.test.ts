import { imageKey } from '@storekeep/proto/conventions/image-address'
import { expect, it } from 'vitest'
import { imageCopyUrl } from './image-copy.ts'

const ctx = { config: { pages: { checkoutBaseUrl: 'https://pay.example/checkout' } } }

it('browsers load a copy of an image, from the host of the checkout page', () => {
  const url = 'https://cdn.example/sword.png'
  const folder = `https://pay.example/checkout/images/7/${imageKey(url)}`
  expect(imageCopyUrl(ctx, '7', url)).toBe(`${folder}/512.webp`)
  expect(imageCopyUrl(ctx, '7', url, 128)).toBe(`${folder}/128.webp`)
  expect([undefined, ''].map((none) => imageCopyUrl(ctx, '7', none))).toEqual([undefined, undefined])
})
