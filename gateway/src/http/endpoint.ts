import type { ErrorCode } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import type { LazyLimit, Limit } from '@storekeep/common/http'
import type { PageInfo } from '@storekeep/proto/common/v1/page'
import type { Scope } from '@storekeep/proto/conventions/api-key'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { z } from 'zod'
import type { GatewayContext } from '../context.ts'
import type { Tag } from '../openapi/tags.ts'
import type { PageLinks, PageQuery } from '../schemas/page.ts'
import type { GameServerCaller } from './gateway-request.ts'
import type { RenderedBody } from './rendered-body.ts'

/**
 * Declares one endpoint. The router, the validation, the OpenAPI document and the tests are derived from the
 * declaration. At run time it returns `definition` unchanged; its purpose is type checking.
 */
export function endpoint<
  Params extends Shape = z.ZodObject,
  Query extends Shape = z.ZodObject,
  Headers extends Shape = z.ZodObject,
  Body extends z.ZodType = z.ZodUnknown,
  Success extends z.ZodType = z.ZodUndefined,
  A extends Auth = Auth,
  Status extends SuccessStatus = SuccessStatus,
>(
  definition: EndpointDefinition<Params, Query, Headers, Body, Success, A> & ScopeOf<A> & LocationOf<Status>,
): Endpoint {
  return definition as unknown as Endpoint
}

/** Default limit of a request body. */
export const defaultBodyLimitBytes = 256 * 1024

/** An endpoint with its type parameters erased. */
export type Endpoint = EndpointDefinition<Shape, Shape, Shape, z.ZodType, z.ZodType, Auth>

export interface EndpointDefinition<
  Params extends Shape,
  Query extends Shape,
  Headers extends Shape,
  Body extends z.ZodType,
  Success extends z.ZodType,
  A extends Auth,
> {
  /** The name of the method in generated clients, such as `createBan`: unique, and clear without its tag. */
  operationId: string
  tag: Tag
  summary: string
  description: string
  method: Method
  /** Contains `{name}` for each parameter. Management endpoints start with `/v1/stores/{storeId}`. */
  path: `/v1/${string}`
  /**
   * `api-key`: a key of the store in the path. `customer`: a token of the store in the store header, optional with
   * `customer-optional`. `none`: only the store header. `game-server`: the token of a game server, which determines the store. The last
   * one reads requests as plugins send them: a trailing slash, any query, a body in any encoding and of any type.
   */
  auth: A
  /** Scope that the API key needs; required when `auth` is `api-key`. */
  scope?: Scope
  /** Path parameters other than `storeId`. */
  params?: Params
  query?: Query
  /** A query for the samples of an operation that fails without one. */
  queryExample?: z.input<Query>
  /** Additional headers that this endpoint reads, in lower case. */
  headers?: Headers
  body?: Body
  /** The body in the OpenAPI document, if `body` accepts more than that. */
  documentedBody?: z.ZodType
  /** A body that cannot be parsed counts as absent. Only for game servers. */
  ignoresUnreadableBody?: boolean
  /** Default: `defaultBodyLimitBytes`. */
  bodyLimitBytes?: number
  /** Rate limits besides the one per API key. Enforced after the input is validated. */
  limits?: (
    ctx: GatewayContext,
    request: EndpointRequest<Params, Query, Headers, Body, A>,
  ) => readonly (Limit | LazyLimit)[]
  success: {
    status: SuccessStatus
    description: string
    /** Omitted for 204. */
    schema?: Success
    example?: z.input<Success>
    /** The handler returns `rendered`, so a client that has the content gets 304. */
    hasEtag?: boolean
    /** For 201: path of the created resource; `{name}` is a path parameter or a field of the response. */
    location?: `/v1/${string}`
  }
  /** Error codes in addition to those implied by path, authentication and input (`error-codes.ts`). */
  errors?: readonly ErrorCode[]
  bodyExample?: z.input<Body>
  handle(
    ctx: GatewayContext,
    request: EndpointRequest<Params, Query, Headers, Body, A>,
  ): Promise<Reply<z.input<Success>>>
}

/** The validated request that a handler receives. */
export interface EndpointRequest<
  Params extends Shape,
  Query extends Shape,
  Headers extends Shape,
  Body extends z.ZodType,
  A extends Auth,
> {
  params: z.output<Params>
  query: z.output<Query>
  headers: z.output<Headers>
  body: z.output<Body>
  storeId: string
  /** The signed-in customer, as returned by the customers service when it verified the token. */
  customer: A extends 'customer' ? Customer : Customer | undefined
  /** The game server of the token. See `callAsServer`. */
  gameServer: A extends 'game-server' ? GameServerCaller : GameServerCaller | undefined
  /** Address of the caller, as seen behind trusted proxies. */
  peerAddress: string
  /** Options for gRPC calls of this request, with its remaining time as the deadline. */
  readonly call: CallOptions
  /** See `RequestContext.hold`. */
  hold(maxMs: number): () => void
}

export interface Reply<T> {
  body?: T
  /** The body in place of `body`, rendered once for several requests. */
  rendered?: RenderedBody
  /** Additional headers of the response, in lower case. */
  headers?: Readonly<Record<string, string>>
  /** For a paged list: the data of the Link header. */
  page?: PageLinks
}

/** The reply of a paged list. */
export function pageReply<T extends { id: string }>(
  query: PageQuery,
  items: readonly T[],
  info: PageInfo | undefined,
): Reply<T[]> {
  return { body: [...items], page: { query, info, firstId: items[0]?.id, lastId: items.at(-1)?.id } }
}

export type Auth = 'api-key' | 'customer' | 'customer-optional' | 'none' | 'game-server'
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Shape = z.ZodObject

/** Whether the caller is identified by the header `x-service-store-id` and possibly a customer token. */
export function isOfStorefront({ auth }: Pick<Endpoint, 'auth'>): boolean {
  return auth !== 'api-key' && auth !== 'game-server'
}

/** Whether the body of a request is read. */
export function takesBody({ auth, method, body }: Pick<Endpoint, 'auth' | 'method' | 'body'>): boolean {
  return method === 'post' || method === 'put' || method === 'patch' || (auth === 'game-server' && body !== undefined)
}

/** Whether the caller may send an Idempotency-Key. */
export function takesIdempotencyKey({ auth, method }: Pick<Endpoint, 'auth' | 'method'>): boolean {
  return (method === 'post' || method === 'patch') && auth !== 'none' && auth !== 'game-server'
}

type SuccessStatus = 200 | 201 | 204
type ScopeOf<A extends Auth> = A extends 'api-key' ? { scope: Scope } : { scope?: never }
type LocationOf<S extends SuccessStatus> = {
  success: { status: S } & (S extends 201 ? { location: `/v1/${string}` } : { location?: never })
}
