import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createEncoder } from '../src/adapters/encode-image.ts'
import { imageTypeOf, imageTypes } from '../src/domain/image-type.ts'
import { blackPng, colorAt, encoded, metadataOf, picture } from './pictures.ts'

/** Far longer than any picture of these tests takes on a busy machine. */
const timeoutMs = 60_000
const encoder = createEncoder({ timeoutMs })

describe('a copy', () => {
  it.each(imageTypes)('of a %s is WebP in each width, in its shape and colors', async (type) => {
    const bytes = await encoded(type, 800, 400)
    expect(imageTypeOf(bytes)).toBe(type)
    const variants = await encoder.encode(bytes, type)
    expect(variants.map(({ width }) => width)).toEqual([64, 128, 256, 512, 1024])
    const shapes = await Promise.all(variants.map((variant) => metadataOf(variant.bytes)))
    expect(shapes.map(({ format, width, height }) => [format, width, height])).toEqual([
      ['webp', 64, 32],
      ['webp', 128, 64],
      ['webp', 256, 128],
      ['webp', 512, 256],
      ['webp', 800, 400],
    ])
    const [left, right] = await Promise.all([60, 740].map((x) => colorAt(variants[4]?.bytes, x, 200)))
    expect(left?.[0]).toBeGreaterThan(200)
    expect(right?.[2]).toBeGreaterThan(200)
    expect(new Set(variants.map(({ etag }) => etag)).size).toBe(5)
  })

  it('keeps transparency', async () => {
    const clear = { create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } } as const
    const [variant] = await encoder.encode(await sharp(clear).png().toBuffer(), 'png')
    expect((await metadataOf(variant?.bytes)).hasAlpha).toBe(true)
  })

  it('contains no metadata of the original, such as the place of a photo, and is upright', async () => {
    const photo = await picture(80, 40)
      .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'secret-place' } } })
      .jpeg()
      .toBuffer()
    expect((await metadataOf(photo)).exif?.includes('secret-place')).toBe(true)
    const [variant] = await encoder.encode(photo, 'jpeg')
    const { width, height, exif, orientation } = await metadataOf(variant?.bytes)
    expect([width, height, exif, orientation]).toEqual([32, 64, undefined, undefined])
  })

  it('is the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 16, height: 16, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(animation).metadata()).pages).toBe(2)
    const [variant] = await encoder.encode(animation, 'gif')
    expect((await metadataOf(variant?.bytes)).pages).toBeUndefined()
    expect((await colorAt(variant?.bytes, 8, 8))[0]).toBeGreaterThan(200)
  })
})

describe('an attack', () => {
  it('a bomb of 900 megapixels in 110 KB is rejected before it is decoded', async () => {
    const bomb = blackPng(30_000, 30_000)
    expect(bomb.length).toBeLessThan(150_000)
    await expect(encoder.encode(bomb, 'png')).rejects.toMatchObject({ reason: 'too-many-pixels' })
    // Without the limit, the decoder starts, and ends only with the image or the time limit (negative control).
    const unlimited = createEncoder({ timeoutMs: 1000, maxPixels: () => 1_000_000_000 })
    const outcome = await unlimited.encode(bomb, 'png').then(
      () => 'decoded',
      ({ reason }) => reason,
    )
    expect(['decoded', 'timeout']).toContain(outcome)
  })

  it('one row of pixels beyond the limit is rejected, and decoded without the limit (negative control)', async () => {
    const image = blackPng(4096, 4097)
    await expect(encoder.encode(image, 'png')).rejects.toMatchObject({ reason: 'too-many-pixels' })
    const unlimited = createEncoder({ timeoutMs, maxPixels: () => 100_000_000 })
    expect(await unlimited.encode(image, 'png')).toHaveLength(5)
    expect(await encoder.encode(blackPng(4096, 4096), 'png')).toHaveLength(5)
  })

  it('an AVIF may have half as many pixels, because it needs more memory', async () => {
    const image = await sharp({ create: { width: 4097, height: 2048, channels: 3, background: '#fff' } })
      .avif({ effort: 0 })
      .toBuffer()
    await expect(encoder.encode(image, 'avif')).rejects.toMatchObject({ reason: 'too-many-pixels' })
  })

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'],
    ['SVG with a reference', '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'],
    ['text', 'not an image'],
    ['nothing', ''],
  ])('%s cannot be decoded, whatever it claims to be', async (_, text) => {
    for (const type of imageTypes) {
      await expect(encoder.encode(Buffer.from(text), type)).rejects.toMatchObject({ reason: 'undecodable' })
    }
  })

  it('formats that are not accepted cannot be decoded, although the library knows them', async () => {
    const tiff = await picture(8, 8).tiff().toBuffer()
    expect(sharp.format.tiff.input.buffer && sharp.format.svg.input.buffer).toBe(true)
    await expect(encoder.encode(tiff, 'png')).rejects.toMatchObject({ reason: 'undecodable' })
  })

  it.each(imageTypes)('a %s that breaks off is rejected', async (type) => {
    const bytes = await encoded(type, 300, 300)
    const half = bytes.subarray(0, bytes.length / 2)
    await expect(encoder.encode(half, type)).rejects.toMatchObject({ reason: 'undecodable' })
  })

  it('of a file that is also HTML or an archive, only the pixels survive', async () => {
    const script = '<script>alert(document.domain)</script>PK\x03\x04'
    const polyglot = Buffer.concat([await encoded('png', 16, 16), Buffer.from(script)])
    const variants = await encoder.encode(polyglot, 'png')
    for (const { bytes } of variants) {
      expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
      expect(bytes.includes('script')).toBe(false)
    }
  })
})
