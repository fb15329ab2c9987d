import { readFile } from 'node:fs/promises'
import type { Express, RequestHandler } from 'express'
import { endpoints } from '../routes/index.ts'
import { serve } from '../routes/operations.ts'
import { describeApi } from './document.ts'

/**
 * The description of the interface: for programs at /openapi.json, for people at /docs. The page is Swagger UI out of
 * our own node_modules; its policy lets it load from and talk to nobody but us.
 */
export function serveDocs(app: Express): void {
  const document = JSON.stringify(describeApi(endpoints))
  serve(app, '/openapi.json', text('application/json', document, { 'access-control-allow-origin': '*' }))
  const html = text('text/html; charset=utf-8', page, { 'content-security-policy': pagePolicy })
  // People type the slash; what the page loads is named from the root.
  for (const path of ['/docs', '/docs/']) serve(app, path, html)
  serve(app, '/docs/start.js', text('text/javascript; charset=utf-8', startScript))
  serve(
    app,
    '/docs/swagger-ui.css',
    asset(import.meta.resolve('swagger-ui-dist/swagger-ui.css'), 'text/css; charset=utf-8'),
  )
  serve(
    app,
    '/docs/swagger-ui-bundle.js',
    asset(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'text/javascript; charset=utf-8'),
  )
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
    <title>Storekeep interface</title>
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

// No validator: that would send the document to a stranger.
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

function text(contentType: string, body: string, headers: Record<string, string> = {}): RequestHandler {
  return (_req, res) => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    res.setHeader('content-type', contentType)
    res.end(body)
  }
}

/** Read when asked for: most gateways never show the page. */
function asset(address: string, contentType: string): RequestHandler {
  const file = new URL(address)
  return async (_req, res) => {
    const bytes = await readFile(file)
    res.setHeader('content-type', contentType)
    res.setHeader('cache-control', 'public, max-age=3600')
    res.end(bytes)
  }
}
