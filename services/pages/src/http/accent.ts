import { createHash } from 'node:crypto'
import { errors } from '@storekeep/common/errors'
import type { Route, SiteName } from './route.ts'

/** The path of the stylesheet with the accent color of a store: "#2457d6". Browsers may keep it forever. */
export function accentPath(color: string): string {
  return `/assets/accent/${color.slice(1)}-${hashOf(accentStyle(color))}.css`
}

/** Serves the stylesheet of any color: everything it contains follows from its path, so it needs no store. */
export function accentRoute(site: SiteName): Route {
  return {
    site,
    method: 'GET',
    path: '/assets/accent/{file}',
    handle: async (_ctx, { params: { file = '' } }) => {
      const [, digits, hash] = /^([0-9a-f]{6})-([\w-]{16})[.]css$/.exec(file) ?? []
      if (digits === undefined) throw errors.notFound('stylesheet')
      const body = accentStyle(`#${digits}`)
      // During an update, a page of one replica may name the stylesheet of another.
      const cacheControl = hash === hashOf(body) ? 'public, max-age=31536000, immutable' : 'no-store'
      return {
        status: 200,
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': cacheControl },
        body,
      }
    },
  }
}

/**
 * The variables of `style.css` that depend on the accent color. Text on the accent is black or white, whichever has more contrast, at
 * least 4.58 : 1. Links and borders have the accent, mixed with black or white until they can be read on the page.
 */
export function accentStyle(color: string): string {
  const onAccent = contrast(color, white) >= contrast(color, black) ? white : black
  return `:root {
  --accent: ${color};
  --on-accent: ${onAccent};
  --accent-text: ${readable(color, black, surfaces.light)};
}

@media (prefers-color-scheme: dark) {
  :root {
    --accent-text: ${readable(color, white, surfaces.dark)};
  }
}
`
}

/** The colors in `style.css` on which text is shown. */
export const surfaces = { light: ['#f4f5f8', '#ffffff'], dark: ['#12151b', '#1c2028'] } as const

const black = '#000000'
const white = '#ffffff'

/** Mixes the color with another one until it has the contrast of text (WCAG 2.2, 1.4.3) on every surface. */
function readable(color: string, other: string, on: readonly string[]): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, other, share)
    if (on.every((surface) => contrast(mixed, surface) >= 4.5)) return mixed
  }
  return other
}

function mix(color: string, other: string, share: number): string {
  const others = channels(other)
  const mixed = channels(color).map((value, index) => Math.round(value + ((others[index] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** The contrast ratio of two colors (WCAG 2.2), 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
