import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Metadata, type Sharp } from 'sharp'
import type { ImageType } from '../src/domain/image-type.ts'

/** A picture whose left half is red and whose right half is blue. */
export function picture(width: number, height: number): Sharp {
  const half = { width: Math.ceil(width / 2), height, channels: 3, background: '#0000ff' } as const
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    { input: { create: half }, left: width - half.width, top: 0 },
  ])
}

export async function encoded(type: ImageType, width = 8, height = 8): Promise<Buffer> {
  return await picture(width, height).toFormat(type).toBuffer()
}

/** The metadata of a copy. */
export async function metadataOf(bytes: Uint8Array | undefined): Promise<Metadata> {
  return await sharp(Buffer.from(bytes ?? [])).metadata()
}

/** The color at a point of a copy: red, green, blue. */
export async function colorAt(bytes: Uint8Array | undefined, left: number, top: number): Promise<number[]> {
  const pixel = { left, top, width: 1, height: 1 }
  const image = sharp(Buffer.from(bytes ?? [])).extract(pixel)
  return [...(await image.removeAlpha().raw().toBuffer())]
}

/** A black PNG with one bit per pixel, which compresses to almost nothing. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, checksum])
}
