import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import type { GatewayContext } from '../context.ts'
import type { Endpoint, EndpointRequest } from '../http/endpoint.ts'
import { type Exchange, exchangeOf } from '../http/exchange.ts'
import { fillTemplate } from '../http/fill-template.ts'
import { linkHeader } from '../http/link-header.ts'
import { parseQuery } from '../http/query.ts'
import { queryForms } from '../http/query-forms.ts'
import { sendJson } from '../http/send-json.ts'
import { callerAddress } from '../limits/peer-address.ts'
import { parse } from '../schemas/parse.ts'
import { admit } from './limit-rate.ts'

/** Checks the input against the endpoint's schemas, runs its handler and writes the answer. */
export function answer(ctx: GatewayContext, endpoint: Endpoint): RequestHandler {
  const readInput = inputReader(ctx, endpoint)
  const { status, location } = endpoint.success
  return async (req, res) => {
    const exchange = exchangeOf(res)
    const reply = await whenAdmitted(exchange, async () => {
      const request = readInput(req, exchange)
      if (endpoint.limits) await admit(ctx, res, await endpoint.limits(ctx, request))
      return endpoint.handle(ctx, request)
    })
    if (reply.page) {
      const link = linkHeader(ctx.config.http.publicBaseUrl, req.url, reply.page)
      if (link !== '') res.setHeader('link', link)
    }
    if (location !== undefined) res.setHeader('location', fillTemplate(location, req.params, reply.body))
    sendJson(res, status, status === 204 ? undefined : reply.body)
  }
}

type AnyRequest = EndpointRequest<z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType, Endpoint['auth']>

function inputReader(ctx: GatewayContext, endpoint: Endpoint): (req: Request, exchange: Exchange) => AnyRequest {
  const { params = nothing, query = nothing, headers = nothing, body } = endpoint
  const forms = queryForms(query)
  const { trustedProxies } = ctx.config.http
  return (req, exchange) => ({
    params: parse(params, req.params),
    headers: parse(headers, req.headers),
    query: parse(query, parseQuery(queryOf(req.url), forms)),
    body: body ? parse(body, exchange.body) : undefined,
    get storeId() {
      if (exchange.storeId === undefined) throw new Error('The store of the request was not identified.')
      return exchange.storeId
    },
    customer: exchange.customer,
    get peerAddress() {
      return callerAddress(req, trustedProxies)
    },
    get call() {
      return exchange.callOptions()
    },
  })
}

const nothing = z.object({})

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** What comes of the work, if the request is admitted; a refusal does not wait for it. */
async function whenAdmitted<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
  const result = work()
  if (exchange.admission) {
    result.catch(() => {})
    await exchange.admission
  }
  return result
}
