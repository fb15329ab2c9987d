import { expect, it } from 'vitest'
import { imageAddress, imageKey } from './image-address.ts'

const url = 'https://cdn.example/sword.png'

it('the key of an image follows from its address and fits into a path', () => {
  expect(imageKey(url)).toBe('IzzjyEl3G2BIaB3rezq8Ew')
  expect(imageKey(`${url}?v=2`)).not.toBe(imageKey(url))
  expect(imageKey('https://cdn.example/🗡️ sword.png')).toMatch(/^[\w-]{22}$/)
})

it('the address of an image is below the site of the pages', () => {
  const path = `/images/7/${imageKey(url)}/256.webp`
  expect(imageAddress('/checkout', '7', url, 256)).toBe(`/checkout${path}`)
  expect(imageAddress('https://pay.example', '7', url, 256)).toBe(`https://pay.example${path}`)
})
