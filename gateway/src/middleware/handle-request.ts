import type { BlockList } from 'node:net'
import type { CallOptions } from '@storekeep/common/grpc'
import { callerAddress } from '@storekeep/common/http'
import type { Request } from 'express'
import { z } from 'zod'
import type { GatewayContext } from '../context.ts'
import type { Endpoint, EndpointRequest } from '../http/endpoint.ts'
import { fillTemplate } from '../http/fill-template.ts'
import { linkHeader } from '../http/link-header.ts'
import { parseQuery } from '../http/query.ts'
import { queryForms } from '../http/query-forms.ts'
import { type RequestContext, requestContextOf } from '../http/request-context.ts'
import { sendJson } from '../http/send-json.ts'
import { parse } from '../schemas/parse.ts'
import { enforceApiKeyLimit, enforceLimits } from './limit-rate.ts'
import type { Step } from './step.ts'

/** Validates the input against the endpoint's schemas, runs its handler and sends the response. */
export function handleRequest(ctx: GatewayContext, endpoint: Endpoint): Step {
  const readInput = inputReader(ctx, endpoint)
  const { status, location } = endpoint.success
  const isLimitedRead = endpoint.auth === 'api-key' && endpoint.method === 'get'
  return async (req, res) => {
    const run = async () => {
      const request = readInput(req, requestContextOf(res))
      if (endpoint.limits) await enforceLimits(ctx, res, endpoint.limits(ctx, request))
      return endpoint.handle(ctx, request)
    }
    const result = run()
    if (isLimitedRead) {
      // Redis counts a read while its handler runs. A refusal takes precedence over whatever the handler returns.
      result.catch(() => {})
      await enforceApiKeyLimit(ctx, res)
    }
    const reply = await result
    if (reply.page) {
      const link = linkHeader(ctx.config.http.publicBaseUrl, req.url, reply.page)
      if (link !== '') res.setHeader('link', link)
    }
    if (location !== undefined) res.setHeader('location', fillTemplate(location, req.params, reply.body))
    sendJson(res, status, status === 204 ? undefined : reply.body)
  }
}

type AnyRequest = EndpointRequest<z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType, Endpoint['auth']>

function inputReader(
  ctx: GatewayContext,
  endpoint: Endpoint,
): (req: Request, requestContext: RequestContext) => AnyRequest {
  const { params, query, headers, body } = endpoint
  const forms = queryForms(query ?? z.object({}))
  const readQuery = (given: Record<string, unknown>) => (query ? parse(query, given) : nothing)
  const { trustedProxies } = ctx.config.http
  return (req, requestContext) =>
    new ValidatedRequest(req, requestContext, trustedProxies, {
      params: params ? parse(params, req.params) : nothing,
      headers: headers ? parse(headers, req.headers) : nothing,
      query: readQuery(parseQuery(queryOf(req.url), forms)),
      body: body ? parse(body, requestContext.body) : undefined,
    })
}

/** NOTE A class for the reason given at `ReceivedCall` in services/common. */
class ValidatedRequest implements AnyRequest {
  readonly params: AnyRequest['params']
  readonly headers: AnyRequest['headers']
  readonly query: AnyRequest['query']
  readonly body: AnyRequest['body']
  readonly #req: Request
  readonly #requestContext: RequestContext
  readonly #trustedProxies: BlockList

  constructor(req: Request, requestContext: RequestContext, trustedProxies: BlockList, input: Input) {
    this.params = input.params
    this.headers = input.headers
    this.query = input.query
    this.body = input.body
    this.#req = req
    this.#requestContext = requestContext
    this.#trustedProxies = trustedProxies
  }

  get storeId(): string {
    const { storeId } = this.#requestContext
    if (storeId === undefined) throw new Error('The store of the request was not identified.')
    return storeId
  }

  get customer(): AnyRequest['customer'] {
    return this.#requestContext.customer
  }

  get peerAddress(): string {
    return callerAddress(this.#req, this.#trustedProxies)
  }

  get call(): CallOptions {
    return this.#requestContext.callOptions()
  }
}

type Input = Pick<AnyRequest, 'params' | 'headers' | 'query' | 'body'>

const nothing = Object.freeze({})

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}
