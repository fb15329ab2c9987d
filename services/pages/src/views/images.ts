import { type ImageWidth, imageAddress } from '@storekeep/proto/conventions/image-address'
import { html } from 'hono/html'
import type { Site } from '../config.ts'
import { drawPlaceholder, formatPlaceholder, type Placeholder, placeholderOf } from '../images/placeholder.ts'
import type { Html } from './html.ts'

/**
 * The image of a product, of a tag or of a profile, in a box whose size does not depend on the image. The box shows the
 * initials of the name if there is no image; if there is no copy of it, its address responds with them, without a script.
 * The name must be next to it, so `alt` is empty.
 */
export function productImage({ site, storeId, url, name, size }: ProductImage): Html {
  const { side, widths } = sizes[size]
  const placeholder = placeholderOf(name)
  const box = html`width="${side}" height="${side}" loading="lazy" decoding="async"`
  return html`<span class="product-image size-${size}">${
    url === undefined || url === ''
      ? drawPlaceholder(placeholder, side * 0.4)
      : html`<img ${sources({ site, storeId, url, widths, placeholder })} alt="" ${box}>`
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
  return html`<img ${shape} ${sources({ site, storeId, url, widths: isSquare ? [64, 128] : [256, 512] })} alt="" height="40">`
}

export interface LogoImage extends Pick<ProductImage, 'site' | 'storeId'> {
  url: string
  isSquare: boolean
}

/** The `src` and `srcset` of an image for screens with one and with two pixels per CSS pixel. */
function sources({ site, storeId, url, widths, placeholder }: Sources): Html {
  const query = placeholder ? `?or=${encodeURIComponent(formatPlaceholder(placeholder))}` : ''
  const [once, twice] = widths.map((width) => imageAddress(site.path, storeId, url, width) + query)
  return html`src="${once}" srcset="${once} 1x, ${twice} 2x"`
}

interface Sources extends Pick<ProductImage, 'site' | 'storeId'> {
  url: string
  widths: [ImageWidth, ImageWidth]
  /** What to show if there is no copy. */
  placeholder?: Placeholder
}

/** `side`: of the box in CSS pixels. */
const sizes = {
  line: { side: 56, widths: [64, 128] },
  card: { side: 256, widths: [256, 512] },
  detail: { side: 512, widths: [512, 1024] },
} as const satisfies Record<string, { side: number; widths: [ImageWidth, ImageWidth] }>
