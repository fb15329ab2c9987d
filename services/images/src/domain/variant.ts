import { type ImageWidth, imageWidths } from '@storekeep/proto/conventions/image-address'

/** A copy of an image in one width. */
export interface Variant {
  width: ImageWidth
  bytes: Buffer
  /** 16 characters of base64url that follow from the bytes. */
  etag: string
}

/**
 * The widths to store for an image: up to the first width into which it fits, because images are not enlarged.
 * @param side the longer side of the image in pixels
 */
export function storedWidths(side: number): ImageWidth[] {
  const fits = imageWidths.findIndex((width) => width >= side)
  return fits === -1 ? [...imageWidths] : imageWidths.slice(0, fits + 1)
}

export function isImageWidth(width: number): width is ImageWidth {
  return imageWidths.some((known) => known === width)
}
