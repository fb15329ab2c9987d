import { headerAliases } from '../routes/storefront/storefront-headers.ts'
import type { Step } from './step.ts'

/** Responds to the CORS preflight of a storefront endpoint. `commonHeaders` has already allowed the origin. */
export function preflight(allow: readonly string[], { withAliases }: { withAliases: boolean }): Step {
  const methods = allow.join(', ')
  const aliases = withAliases ? headerAliases.map(([alias]) => alias) : []
  const headers = [...allowedHeaders, ...aliases].join(', ')
  return (request) => {
    const { res } = request
    res.setHeader('allow', methods)
    res.setHeader('access-control-allow-methods', methods)
    res.setHeader('access-control-allow-headers', headers)
    res.setHeader('access-control-max-age', '7200')
    request.send(204)
  }
}

const allowedHeaders = [
  'authorization',
  'content-type',
  'if-none-match',
  'x-service-store-id',
  'x-service-customer-ip',
  'x-service-customer-countrycode',
  'x-request-id',
  'traceparent',
]
