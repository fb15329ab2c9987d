import { type ImageWidth, imageAddress } from '@storekeep/proto/conventions/image-address'
import { html } from 'hono/html'
import type { Site } from '../config.ts'
import type { Html } from './html.ts'

/**
 * The image of a product, or of a tag, in a box whose size does not depend on the image. The box shows the initials of the
 * name while there is no image, and if the image cannot be loaded. The name must be next to it, so `alt` is empty.
 */
export function productImage({ site, storeId, url, name, size }: ProductImage): Html {
  const { side, widths } = sizes[size]
  return html`<span class="product-image size-${size}">${placeholder(name)}${
    url === undefined || url === ''
      ? ''
      : html`<img ${sources(site, storeId, url, widths)} alt="" width="${side}" height="${side}" loading="lazy" decoding="async">`
  }</span>`
}

export interface ProductImage {
  /** The site of the page, because its policy allows images of the same host only. */
  site: Pick<Site, 'path'>
  storeId: string
  /** The address that the record holds. */
  url: string | undefined
  /** What the initials and the color of the placeholder follow from. */
  name: string
  /** `line`: in a list of lines, `card`: in a grid, as wide as the card, `detail`: on a page about it. */
  size: keyof typeof sizes
}

/** A logo of a store, 40 CSS pixels high. It keeps its shape, so only a square one has a width. */
export function logoImage({ site, storeId, url, isSquare }: LogoImage): Html {
  const shape = isSquare ? html`width="40"` : html`class="wide"`
  return html`<img ${shape} ${sources(site, storeId, url, isSquare ? [64, 128] : [256, 512])} alt="" height="40">`
}

export interface LogoImage extends Pick<ProductImage, 'site' | 'storeId'> {
  url: string
  isSquare: boolean
}

/** The `src` and `srcset` of an image for screens with one and with two pixels per CSS pixel. */
function sources({ path }: Pick<Site, 'path'>, storeId: string, url: string, widths: [ImageWidth, ImageWidth]): Html {
  const [once, twice] = widths.map((width) => imageAddress(path, storeId, url, width))
  return html`src="${once}" srcset="${once} 1x, ${twice} 2x"`
}

/** `side`: of the box in CSS pixels. */
const sizes = {
  line: { side: 56, widths: [64, 128] },
  card: { side: 256, widths: [256, 512] },
  detail: { side: 512, widths: [512, 1024] },
} as const satisfies Record<string, { side: number; widths: [ImageWidth, ImageWidth] }>

/** Presentation attributes instead of styles, which the policy of the pages does not allow inline. */
function placeholder(name: string): Html {
  return html`<svg viewBox="0 0 64 64" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false"><rect width="64" height="64" fill="${colorOf(name)}"/><text x="32" y="33" fill="#fff" font-size="24" font-weight="600" text-anchor="middle" dominant-baseline="central">${initialsOf(name)}</text></svg>`
}

/** The first letters or digits of the first two words: "SP" for "Starter pack". */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  const initials = words.slice(0, 2).map((word) => /^.\p{M}*/u.exec(word)?.[0] ?? '')
  return initials.join('').toUpperCase()
}

/** A color on which white text is readable in the light and the dark scheme. */
export function colorOf(name: string): string {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return placeholderColors[sum % placeholderColors.length] ?? ''
}

export const placeholderColors = [
  '#2f5d9b',
  '#3a6b4c',
  '#8a4b2f',
  '#6a4a9c',
  '#9a3b5a',
  '#2d6a75',
  '#74602a',
  '#525f73',
] as const
