import type { CallOptions } from '@storekeep/common/grpc'
import { z } from 'zod'
import type { GatewayContext } from '../context.ts'
import type { Endpoint, EndpointRequest } from '../http/endpoint.ts'
import { fillTemplate } from '../http/fill-template.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import { linkHeader } from '../http/link-header.ts'
import { parseQuery } from '../http/query.ts'
import { queryForms } from '../http/query-forms.ts'
import { sendRendered } from '../http/rendered-body.ts'
import { sendJson } from '../http/send-json.ts'
import { parse } from '../schemas/parse.ts'
import { enforceApiKeyLimit, enforceLimits } from './limit-rate.ts'
import type { Step } from './step.ts'

/** Validates the input against the endpoint's schemas, runs its handler and sends the response. */
export function handleRequest(ctx: GatewayContext, endpoint: Endpoint): Step {
  const readInput = inputReader(endpoint)
  const { status, location } = endpoint.success
  const isLimitedRead = endpoint.auth === 'api-key' && endpoint.method === 'get'
  return async (request) => {
    const { req, res } = request
    const run = async () => {
      const validated = readInput(request)
      if (endpoint.limits) await enforceLimits(ctx, request, endpoint.limits(ctx, validated))
      return endpoint.handle(ctx, validated)
    }
    const result = run()
    if (isLimitedRead) {
      // Redis counts a read while its handler runs. A rejection takes precedence over the handler's result.
      result.catch(() => {})
      await enforceApiKeyLimit(ctx, request)
    }
    const reply = await result
    for (const name in reply.headers) res.setHeader(name, reply.headers[name] ?? '')
    if (reply.page) {
      const link = linkHeader(ctx.config.http.publicBaseUrl, req.url ?? '', reply.page)
      if (link !== '') res.setHeader('link', link)
    }
    if (location !== undefined) res.setHeader('location', fillTemplate(location, request.params, reply.body))
    if (reply.rendered) sendRendered(request, status, reply.rendered)
    else sendJson(request, status, status === 204 ? undefined : reply.body)
  }
}

type AnyRequest = EndpointRequest<z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType, Endpoint['auth']>

function inputReader({ auth, params, query, headers, body }: Endpoint): (request: GatewayRequest) => AnyRequest {
  const forms = queryForms(query ?? z.object({}))
  const readQuery = (given: Record<string, unknown>) => (query ? parse(query, given) : nothing)
  return (request) =>
    new ValidatedRequest(request, {
      params: params ? parse(params, request.params) : nothing,
      headers: headers ? parse(headers, request.req.headers) : nothing,
      // Plugins may add parameters against caches.
      query: auth === 'game-server' ? nothing : readQuery(parseQuery(queryOf(request.req.url ?? ''), forms)),
      body: body ? parse(body, request.body) : undefined,
    })
}

class ValidatedRequest implements AnyRequest {
  readonly params: AnyRequest['params']
  readonly headers: AnyRequest['headers']
  readonly query: AnyRequest['query']
  readonly body: AnyRequest['body']
  readonly #request: GatewayRequest

  constructor(request: GatewayRequest, input: Input) {
    this.params = input.params
    this.headers = input.headers
    this.query = input.query
    this.body = input.body
    this.#request = request
  }

  get storeId(): string {
    const { storeId } = this.#request
    if (storeId === undefined) throw new Error('The store of the request was not identified.')
    return storeId
  }

  get customer(): AnyRequest['customer'] {
    return this.#request.customer
  }

  get gameServer(): AnyRequest['gameServer'] {
    return this.#request.gameServer
  }

  get peerAddress(): string {
    return this.#request.address
  }

  get call(): CallOptions {
    return this.#request.callOptions()
  }

  hold(maxMs: number): () => void {
    return this.#request.hold(maxMs)
  }
}

type Input = Pick<AnyRequest, 'params' | 'headers' | 'query' | 'body'>

const nothing = Object.freeze({})

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}
