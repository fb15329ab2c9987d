import type { Express } from 'express'
import type { GatewayContext } from '../context.ts'
import { endpoints } from '../routes/index.ts'
import { serve } from '../routes/operations.ts'
import { describeApi } from './document.ts'

/** The description of the interface, for programs at /openapi.json and for people at /docs. */
export function serveDocs(app: Express, { config }: GatewayContext): void {
  const document = JSON.stringify(describeApi(endpoints, config.http.publicBaseUrl))

  serve(app, '/openapi.json', (_req, res) => {
    res.setHeader('access-control-allow-origin', '*')
    res.setHeader('content-type', 'application/json')
    res.end(document)
  })
}
