import { hstsHeader, type RequestContext } from '@storekeep/common/http'
import type { GatewayConfig } from '../config.ts'

/** Sets the security headers of every response, and CORS on the storefront. */
export function commonHeaders(config: GatewayConfig): (request: RequestContext) => void {
  const hsts = hstsHeader(config)
  return ({ req, res }) => {
    res.setHeader('x-content-type-options', 'nosniff')
    res.setHeader('cache-control', 'no-store')
    res.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    if (hsts !== undefined) res.setHeader('strict-transport-security', hsts)
    if (isStorefront(req.url ?? '')) {
      res.setHeader('access-control-allow-origin', '*')
      res.setHeader('access-control-expose-headers', exposedHeaders)
    }
  }
}

const exposedHeaders = 'x-request-id, retry-after, ratelimit, ratelimit-policy, etag, link'

/** Browsers may call the storefront only: an API key must never reach a browser. */
function isStorefront(url: string): boolean {
  return /^\/v1\/(?:store|checkouts)(?:[/?]|$)/.test(url)
}
