import type { RequestHandler } from 'express'
import { requestContextOf } from '../http/request-context.ts'
import { sendJson } from '../http/send-json.ts'

/** Responds to the CORS preflight of a storefront endpoint. `commonHeaders` has already allowed the origin. */
export function preflight(allow: readonly string[], path: string): RequestHandler {
  const methods = allow.join(', ')
  return (_req, res) => {
    requestContextOf(res).route = path
    res.setHeader('allow', methods)
    res.setHeader('access-control-allow-methods', methods)
    res.setHeader('access-control-allow-headers', allowedHeaders)
    res.setHeader('access-control-max-age', '7200')
    sendJson(res, 204)
  }
}

const allowedHeaders = [
  'authorization',
  'content-type',
  'x-service-store-id',
  'x-service-customer-ip',
  'x-service-customer-countrycode',
  'x-request-id',
  'traceparent',
].join(', ')
