import { createHash } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { ImageFailure } from '../domain/image-failure.ts'
import { type ImageType, maxPixelsOf } from '../domain/image-type.ts'
import { storedWidths, type Variant } from '../domain/variant.ts'

export interface Encoder {
  /**
   * Decodes an image and encodes it as WebP, once for each width to store. Only pixels survive: no metadata, no frame of an
   * animation but the first, and nothing that follows the image in the file.
   * @throws ImageFailure
   */
  encode(bytes: Buffer, type: ImageType): Promise<Variant[]>
}

// Of everything that libvips can read, only the formats that `imageTypeOf` names, and only from memory.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
})
// Images are decoded one after another, so a cache of operations and more threads would only use memory.
sharp.cache(false)
sharp.concurrency(1)

/**
 * @param options.timeoutMs for decoding, and for encoding each width
 * @param options.maxPixels replaces `maxPixelsOf` in tests
 */
export function createEncoder({ timeoutMs, maxPixels = maxPixelsOf }: EncoderOptions): Encoder {
  const seconds = Math.ceil(timeoutMs / 1000)
  return {
    async encode(bytes, type) {
      const limits = { limitInputPixels: maxPixels(type), autoOrient: true }
      try {
        const { width = 0, height = 0 } = await sharp(bytes, { ...limits, limitInputPixels: false }).metadata()
        if (width * height > limits.limitInputPixels) {
          throw new ImageFailure('too-many-pixels', `The image has ${width} x ${height} pixels.`)
        }
        const { data, info } = await fitted(sharp(bytes, limits).timeout({ seconds }), 1024)
          .toColorspace('srgb')
          .ensureAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true })
        const { channels } = info
        const pixels = { raw: { width: info.width, height: info.height, channels } }
        const variants: Variant[] = []
        for (const size of storedWidths(Math.max(info.width, info.height))) {
          const encoded = await fitted(sharp(data, pixels).timeout({ seconds }), size).webp({ quality: 80 }).toBuffer()
          variants.push({ width: size, bytes: encoded, etag: etagOf(encoded) })
        }
        return variants
      } catch (error) {
        throw error instanceof ImageFailure ? error : failureOf(error)
      }
    },
  }
}

interface EncoderOptions {
  timeoutMs: number
  maxPixels?: typeof maxPixelsOf
}

function fitted(image: Sharp, side: number): Sharp {
  return image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
}

function failureOf(error: unknown): ImageFailure {
  const message = error instanceof Error ? error.message : String(error)
  return new ImageFailure(/^timeout: /m.test(message) ? 'timeout' : 'undecodable', message.slice(0, 500))
}

function etagOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}
