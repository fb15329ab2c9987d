import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Express, RequestHandler } from 'express'
import { sendJson } from '../http/send-json.ts'
import { staticContent } from '../http/static-content.ts'
import { endpoints } from '../routes/index.ts'
import { servePage } from '../routes/serve-page.ts'

/**
 * Serves the OpenAPI document at /openapi.json and its reference page at /docs. The page is Swagger UI from our
 * node_modules; its content security policy allows no other origin.
 */
export function serveDocs(app: Express): void {
  servePage(app, '/', root)
  servePage(
    app,
    '/openapi.json',
    staticContent(describe, { ...revalidated('application/json'), 'access-control-allow-origin': '*' }),
  )
  const html = text('text/html; charset=utf-8', page, { 'content-security-policy': pagePolicy })
  for (const path of ['/docs', '/docs/']) servePage(app, path, html)
  servePage(app, '/docs/start.js', text(javascript, startScript))
  servePage(
    app,
    '/docs/swagger-ui.css',
    asset(require.resolve('swagger-ui-dist/swagger-ui.css'), 'text/css; charset=utf-8'),
  )
  servePage(
    app,
    '/docs/swagger-ui-bundle.js',
    asset(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), javascript),
  )
}

const require = createRequire(import.meta.url)
const javascript = 'text/javascript; charset=utf-8'

/** Redirects browsers to the reference page; other clients get the links. */
const root: RequestHandler = (req, res) => {
  res.setHeader('vary', 'accept')
  if (!req.headers.accept?.includes('text/html')) {
    sendJson(res, 200, { name: 'Storekeep', docs: '/docs', openapi: '/openapi.json' })
    return
  }
  res.setHeader('location', '/docs')
  sendJson(res, 302)
}

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Storekeep API reference</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

// No validator: it would send the document to a third party.
const startScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

/** Generated when it is first asked for, because that takes a tenth of the gateway's start and most gateways never serve it. */
async function describe(): Promise<Buffer> {
  const { describeApi } = await import('./document.ts')
  return Buffer.from(JSON.stringify(describeApi(endpoints)))
}

function text(contentType: string, body: string, headers: Record<string, string> = {}): RequestHandler {
  const bytes = Buffer.from(body)
  return staticContent(() => bytes, { ...revalidated(contentType), ...headers })
}

/** Headers of content that changes with the version of the gateway, so clients revalidate it each time. */
function revalidated(contentType: string): Record<string, string> {
  return { 'content-type': contentType, 'cache-control': 'no-cache' }
}

function asset(file: string, contentType: string): RequestHandler {
  return staticContent(() => readFile(file), { 'content-type': contentType, 'cache-control': 'public, max-age=3600' })
}
