/** The formats that are decoded. */
export const imageTypes = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const
export type ImageType = (typeof imageTypes)[number]

/**
 * The format of an image by its first bytes, never by its name or by the header of the response: both are up to the server.
 * Undefined for everything that is not decoded, such as SVG, which can contain scripts and references to other hosts.
 */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const text = (start: number, end: number) => bytes.toString('latin1', start, end)
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 3) === '\xff\xd8\xff') return 'jpeg'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'gif'
  if (text(4, 8) === 'ftyp' && brandsOf(bytes).some((brand) => brand === 'avif' || brand === 'avis')) return 'avif'
  return undefined
}

/** The brands in the first box of an ISO media file: its major brand and the compatible ones. */
function brandsOf(bytes: Buffer): string[] {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 128)
  const starts = Array.from({ length: Math.max(0, Math.floor((end - 8) / 4)) }, (_, index) => 8 + 4 * index)
  return starts.map((start) => bytes.toString('latin1', start, start + 4))
}

/**
 * The largest image that is decoded, in pixels: 16 megapixels, which needs about 100 MB, and half of it for AVIF, whose decoder
 * needs three times as much.
 */
export function maxPixelsOf(type: ImageType): number {
  return type === 'avif' ? 4096 * 2048 : 4096 * 4096
}
