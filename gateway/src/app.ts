import { limitConcurrency } from '@storekeep/common/http'
import express, { type Express } from 'express'
import type { GatewayContext } from './context.ts'
import { groupByPath } from './http/group-by-path.ts'
import { authenticate } from './middleware/authenticate.ts'
import { authorize } from './middleware/authorize.ts'
import { beginRequest } from './middleware/begin-request.ts'
import { checkHeaders } from './middleware/check-headers.ts'
import { commonHeaders } from './middleware/common-headers.ts'
import { handleError } from './middleware/handle-error.ts'
import { handleRequest } from './middleware/handle-request.ts'
import { limitWrites } from './middleware/limit-rate.ts'
import { methodNotAllowed, notFound } from './middleware/not-found.ts'
import { parseBody } from './middleware/parse-body.ts'
import { preflight } from './middleware/preflight.ts'
import { serveDocs } from './openapi/serve-docs.ts'
import { endpoints } from './routes/index.ts'
import { serveProbes } from './routes/probes.ts'

/** Builds the app: every middleware and route, in order. */
export function createApp(ctx: GatewayContext): Express {
  const app = express()
  for (const setting of ['x-powered-by', 'etag', 'query parser']) app.set(setting, false)
  app.enable('case sensitive routing')
  app.enable('strict routing')

  const assertConcurrency = limitConcurrency(ctx)
  app.use(beginRequest(ctx))
  app.use(commonHeaders)
  app.use(checkHeaders)
  app.use((req, res, next) => {
    assertConcurrency(req, res)
    next()
  })

  for (const { path, expressPath, methods, allow, isStorefront } of groupByPath(endpoints)) {
    const route = app.route(expressPath)
    for (const endpoint of methods) {
      route[endpoint.method](
        authenticate(ctx, endpoint),
        authorize(ctx, endpoint),
        limitWrites(ctx, endpoint),
        parseBody(endpoint),
        handleRequest(ctx, endpoint),
      )
    }
    if (isStorefront) route.options(preflight(allow, path))
    route.all(methodNotAllowed(allow, path))
  }

  serveProbes(app, ctx)
  serveDocs(app, ctx)
  app.use(notFound)
  app.use(handleError(ctx))
  return app
}
