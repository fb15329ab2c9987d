import type { RequestHandler } from 'express'
import { exchangeOf } from '../http/exchange.ts'
import { sendJson } from '../http/send-json.ts'

/** Answers what a browser asks before a call of the storefront. The origin is allowed by `commonHeaders`. */
export function preflight(allow: readonly string[], path: string): RequestHandler {
  const methods = allow.join(', ')
  return (_req, res) => {
    exchangeOf(res).route = path
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
  'traceparent',
].join(', ')
