import { limitConcurrency } from '@storekeep/common/http'
import express, { type Express } from 'express'
import type { GatewayContext } from './context.ts'
import { serveEndpoints } from './http/serve-endpoints.ts'
import { beginRequest } from './middleware/begin-request.ts'
import { checkHeaders } from './middleware/check-headers.ts'
import { commonHeaders } from './middleware/common-headers.ts'
import { handleError } from './middleware/handle-error.ts'
import { notFound } from './middleware/not-found.ts'
import { serveDocs } from './openapi/serve-docs.ts'
import { endpoints } from './routes/index.ts'
import { serveProbes } from './routes/probes.ts'

/** Builds the app: every middleware and route, in order; the steps of an endpoint are in `serveEndpoints`. */
export function createApp(ctx: GatewayContext): Express {
  const app = express()
  for (const setting of ['x-powered-by', 'etag', 'query parser']) app.set(setting, false)
  app.enable('case sensitive routing')
  app.enable('strict routing')

  const assertConcurrency = limitConcurrency(ctx)
  app.use(beginRequest(ctx))
  app.use(commonHeaders(ctx))
  app.use(checkHeaders)
  app.use((req, res, next) => {
    assertConcurrency(req, res)
    next()
  })

  serveEndpoints(app, ctx, endpoints)
  serveProbes(app, ctx)
  serveDocs(app, ctx)
  app.use(notFound)
  app.use(handleError(ctx))
  return app
}
