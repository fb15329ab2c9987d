import type { IncomingMessage } from 'node:http'
import { errors } from '@storekeep/common/errors'
import type { PagesConfig, Site } from '../config.ts'
import type { Route, SiteName } from './route.ts'

/** Finds the route of a request by host, path and method. Any other host gets nothing, so no page depends on that header. */
export function matchRoute(sites: PagesConfig['sites'], routes: readonly Route[]) {
  // The longer path first: one site may be below the other.
  const names = (Object.keys(sites) as SiteName[]).sort((a, b) => sites[b].path.length - sites[a].path.length)
  const patterns = routes.map((route) => ({ route, segments: route.path.split('/') }))
  return (req: IncomingMessage): Match => {
    const [path = '', query = ''] = (req.url ?? '').split('?', 2)
    const name = names.find((one) => req.headers.host === sites[one].host && isBelow(path, sites[one].path))
    const none = { route: undefined, site: undefined, params: {}, query: new URLSearchParams(query) }
    if (name === undefined) return none
    const site = sites[name]
    const rest = path.slice(site.path.length) || '/'
    const method = req.method === 'HEAD' ? 'GET' : req.method
    let isKnownPath = false
    for (const { route, segments } of patterns) {
      const params = route.site === name ? matchSegments(segments, rest.split('/')) : undefined
      if (params === undefined) continue
      isKnownPath = true
      if (route.method === method) return { ...none, route, site, params }
    }
    if (isKnownPath) throw errors.badRequest('The method is not allowed here.')
    return { ...none, site }
  }
}

interface Match {
  route: Route | undefined
  site: Site | undefined
  params: Readonly<Record<string, string>>
  query: URLSearchParams
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

function matchSegments(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of pattern.entries()) {
    const given = path[index] ?? ''
    if (segment.startsWith(':')) params[segment.slice(1)] = given
    else if (segment !== given) return undefined
  }
  return params
}
