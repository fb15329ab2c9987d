import { describe, expect, it } from 'vitest'
import { imageTypeOf } from './image-type.ts'

/** The first box of an ISO media file. */
function box(size: number, ...brands: string[]): string {
  const text = Buffer.alloc(4)
  text.writeUInt32BE(size)
  const [major = '', ...compatible] = brands
  return `${text.toString('latin1')}ftyp${major}\0\0\0\0${compatible.join('')}`
}

describe('the type of an image', () => {
  it.each([
    ['png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['webp', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['gif', 'GIF87a\x01\0\x01\0'],
    ['gif', 'GIF89a\x01\0\x01\0'],
    ['avif', box(24, 'avif', 'mif1', 'miaf')],
    ['avif', box(24, 'mif1', 'avif', 'miaf')],
  ])('is %s by its first bytes', (type, text) => {
    expect(imageTypeOf(Buffer.from(text, 'latin1'))).toBe(type)
  })

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['SVG after an XML declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '<!doctype html><img src=x>'],
    ['HTML before the bytes of a PNG', '<html>\x89PNG\r\n\x1a\n'],
    ['TIFF', 'II*\0\x08\0\0\0'],
    ['PDF', '%PDF-1.7'],
    ['BMP', 'BM\x46\0\0\0'],
    ['an icon', '\0\0\x01\0\x01\0'],
    ['HEIC', box(24, 'heic', 'mif1', 'heic')],
    ['MP4', box(24, 'isom', 'mp41', 'iso2')],
    ['a box that ends before the brand', box(16, 'mif1', 'avif')],
    ['gzip', '\x1f\x8b\x08\0'],
    ['a sound in RIFF', 'RIFF\x24\0\0\0WAVEfmt '],
    ['nothing', ''],
    ['a few bytes', '\x89PN'],
  ])('is undefined for %s', (_, text) => {
    expect(imageTypeOf(Buffer.from(text, 'latin1'))).toBeUndefined()
  })
})
