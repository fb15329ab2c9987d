import { createHash } from 'node:crypto'

/** Widths in pixels in which images are served. An image fits into a square of this width and is never enlarged. */
export const imageWidths = [64, 128, 256, 512, 1024] as const
export type ImageWidth = (typeof imageWidths)[number]

/**
 * The key of an image that a record of a store names by its address: the first 16 bytes of the address's SHA-256, in
 * base64url.
 */
export function imageKey(url: string): string {
  return createHash('sha256').update(url).digest().subarray(0, 16).toString('base64url')
}

/**
 * Where browsers load a copy of an image, so that they contact no host but ours.
 *
 * @param base the address or path of a site of the pages, without a trailing slash: "https://pay.example.com", "/checkout"
 * @param url the address that the record holds, unchanged
 */
export function imageAddress(base: string, storeId: string, url: string, width: ImageWidth): string {
  return `${base}/images/${storeId}/${imageKey(url)}/${width}.webp`
}
