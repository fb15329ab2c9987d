import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Route, SiteName } from './route.ts'

const names = [
  'style.css',
  'favicon.svg',
  'forms.js',
  'coupon.js',
  'local-time.js',
  'tax.js',
  'poll.js',
  'retry.js',
] as const
export type AssetName = (typeof names)[number]

const assets = names.map((name) => {
  const bytes = readFileSync(new URL(`../assets/${name}`, import.meta.url))
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
  return { name, bytes, path: `/assets/${hash}-${name}` }
})

/** The path of each file, with a hash of its content, so that browsers may keep it forever. */
export const assetPaths = Object.fromEntries(assets.map(({ name, path }) => [name, path])) as Record<AssetName, string>

export function assetRoutes(site: SiteName): Route[] {
  return assets.flatMap(({ name, bytes, path }) => {
    const route = (at: string, maxAge: string): Route => {
      const headers = { 'content-type': `${typeOf(name)}; charset=utf-8`, 'cache-control': `public, max-age=${maxAge}` }
      return { site, method: 'GET', path: at, handle: async () => ({ status: 200, headers, body: bytes }) }
    }
    // Browsers request this path for pages without an icon link.
    const icons = name === 'favicon.svg' ? [route('/favicon.ico', '86400')] : []
    return [route(path, '31536000, immutable'), ...icons]
  })
}

function typeOf(name: AssetName): string {
  if (name.endsWith('.css')) return 'text/css'
  return name.endsWith('.svg') ? 'image/svg+xml' : 'text/javascript'
}
