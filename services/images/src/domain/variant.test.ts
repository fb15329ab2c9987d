import { expect, it } from 'vitest'
import { storedWidths } from './variant.ts'

it.each([
  [1, [64]],
  [64, [64]],
  [65, [64, 128]],
  [300, [64, 128, 256, 512]],
  [1024, [64, 128, 256, 512, 1024]],
  [4096, [64, 128, 256, 512, 1024]],
])('of an image with %d pixels, no width is stored that would be the same copy again', (side, widths) => {
  expect(storedWidths(side)).toEqual(widths)
})
