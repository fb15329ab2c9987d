import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Route, SiteName } from './route.ts'

const names = ['style.css', 'forms.js', 'coupon.js', 'retry.js'] as const
export type AssetName = (typeof names)[number]

const assets = names.map((name) => {
  const bytes = readFileSync(new URL(`../assets/${name}`, import.meta.url))
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
  return { name, bytes, path: `/assets/${hash}-${name}` }
})

/** The path of each file, with a hash of its content, so that browsers may keep it forever. */
export const assetPaths = Object.fromEntries(assets.map(({ name, path }) => [name, path])) as Record<AssetName, string>

export function assetRoutes(site: SiteName): Route[] {
  return assets.map(({ name, bytes, path }) => {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript'
    const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=31536000, immutable' }
    return { site, method: 'GET', path, handle: async () => ({ status: 200, headers, body: bytes }) }
  })
}
