import { readFile } from 'node:fs/promises'
import type { Handler, Route } from '@storekeep/common/http'
import type { GatewayConfig } from '../config.ts'
import type { GatewayContext } from '../context.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import { sendJson } from '../http/send-json.ts'
import { staticContent } from '../http/static-content.ts'
import { endpoints } from '../routes/index.ts'
import { entryPath, libraryPath, serveLibrary } from './reference/library.ts'

/**
 * Serves the OpenAPI document at /openapi.json, and at /docs its reference page: Scalar from our node_modules, with the guides
 * as introduction. The content security policy of the page allows no other origin.
 */
export function docsRoutes({ config }: GatewayContext): Route<GatewayRequest>[] {
  const html = staticContent(page, {
    ...revalidated('text/html; charset=utf-8'),
    'content-security-policy': pagePolicy,
  })
  const guides = () => readGuidesOf(config.limits)
  const pages: Record<string, Handler<GatewayRequest>> = {
    '/': root,
    '/openapi.json': staticContent(describe, {
      ...revalidated('application/json'),
      'access-control-allow-origin': '*',
    }),
    '/docs': html,
    '/docs/': html,
    '/docs/guides.md': staticContent(guides, revalidated('text/markdown; charset=utf-8')),
    '/docs/page.css': file('page.css', 'text/css; charset=utf-8'),
    '/docs/start.js': file('start.js', 'text/javascript; charset=utf-8'),
    [libraryPath]: serveLibrary(),
  }
  return Object.entries(pages).map(([path, handle]) => ({ method: 'GET', path, handle }))
}

/** Redirects browsers to the reference page; other clients get the links. */
const root: Handler<GatewayRequest> = (request) => {
  const { req, res } = request
  res.setHeader('vary', 'accept')
  if (!req.headers.accept?.includes('text/html')) {
    sendJson(request, 200, { name: 'Storekeep', docs: '/docs', openapi: '/openapi.json' })
    return
  }
  res.setHeader('location', '/docs')
  request.send(302)
}

/** The library inserts style elements and style attributes. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

async function page(): Promise<Buffer> {
  const html = await readFile(reference('page.html'), 'utf8')
  return Buffer.from(html.replace('{{library}}', entryPath))
}

/** Generated when it is first asked for, because that takes a tenth of the gateway's start and most gateways never serve it. */
async function describe(): Promise<Buffer> {
  const { describeApi } = await import('./document.ts')
  return Buffer.from(JSON.stringify(describeApi(endpoints)))
}

async function readGuidesOf(limits: GatewayConfig['limits']): Promise<Buffer> {
  const { readGuides } = await import('./guides.ts')
  return Buffer.from(await readGuides(limits))
}

function file(name: string, contentType: string): Handler<GatewayRequest> {
  return staticContent(() => readFile(reference(name)), revalidated(contentType))
}

function reference(name: string): URL {
  return new URL(`./reference/${name}`, import.meta.url)
}

/** Headers of content that changes with the version of the gateway, so clients revalidate it each time. */
function revalidated(contentType: string): Record<string, string> {
  return { 'content-type': contentType, 'cache-control': 'no-cache' }
}
