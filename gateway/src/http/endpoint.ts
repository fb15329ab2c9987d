import type { ErrorCode } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import type { PageInfo } from '@storekeep/proto/common/v1/page'
import type { Scope } from '@storekeep/proto/conventions/api-key'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { z } from 'zod'
import type { GatewayContext } from '../context.ts'
import type { Limit } from '../limits/limit.ts'
import type { PageQuery } from '../schemas/page.ts'

/**
 * Declares one endpoint. What is declared here is all there is: the router, the validation, the OpenAPI document and
 * the tests are made from it. Adds nothing to `definition` but its types.
 */
export function endpoint<
  Params extends Shape = z.ZodObject,
  Query extends Shape = z.ZodObject,
  Headers extends Shape = z.ZodObject,
  Body extends z.ZodType = z.ZodUnknown,
  Answer extends z.ZodType = z.ZodUndefined,
  A extends Auth = Auth,
  Status extends SuccessStatus = SuccessStatus,
>(definition: EndpointDefinition<Params, Query, Headers, Body, Answer, A> & ScopeOf<A> & LocationOf<Status>): Endpoint {
  return definition as unknown as Endpoint
}

/** What an endpoint declares, whatever its types. */
export type Endpoint = EndpointDefinition<Shape, Shape, Shape, z.ZodType, z.ZodType, Auth>

export interface EndpointDefinition<
  Params extends Shape,
  Query extends Shape,
  Headers extends Shape,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  A extends Auth,
> {
  /** `<Resource>_<Verb>`. */
  operationId: string
  tag: string
  summary: string
  description?: string
  method: Method
  /** With `{name}` for each parameter; those of a management endpoint start with `/v1/stores/{storeId}/`. */
  path: `/v1/${string}`
  /**
   * `api-key`: a key of the store in the path. `customer`: a token of the store in the header; `customer-optional`: may
   * be left out. `none`: only the store header.
   */
  auth: A
  /** What an API key must be allowed to do; `endpoint` demands it for each of these. */
  scope?: Scope
  /** Path parameters beside `storeId`. */
  params?: Params
  query?: Query
  /** Headers that this endpoint reads itself, in lower case. */
  headers?: Headers
  body?: Body
  /** 256 KiB unless given. */
  bodyLimitBytes?: number
  /** Limits beside the one per API key; asked once the input is valid. */
  limits?: (
    ctx: GatewayContext,
    request: EndpointRequest<Params, Query, Headers, Body, A>,
  ) => readonly Limit[] | Promise<readonly Limit[]>
  success: {
    status: SuccessStatus
    description: string
    /** Absent with 204. */
    schema?: Answer
    example?: z.input<Answer>
    /** With 201: the path of what was made; `{name}` is a path parameter or a member of the answer. */
    location?: `/v1/${string}`
  }
  /** Error codes that this endpoint adds to those that its path, authentication and input imply. */
  errors?: readonly ErrorCode[]
  bodyExample?: z.input<Body>
  handle(
    ctx: GatewayContext,
    request: EndpointRequest<Params, Query, Headers, Body, A>,
  ): Promise<Reply<z.input<Answer>>>
}

/** What a handler gets: everything has been checked. */
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
  /** The signed-in customer, as its owner answered when it checked the token. */
  customer: A extends 'customer' ? Customer : Customer | undefined
  /** Address of the caller, behind trusted proxies too. */
  peerAddress: string
  /** Options for the calls of this request, with the time that it has left. */
  readonly call: CallOptions
}

export interface Reply<T> {
  body?: T
  /** Of a paged list: what lies beside it, for the Link header. */
  page?: { query: PageQuery; info: PageInfo | undefined; firstId: string | undefined; lastId: string | undefined }
}

/** The answer to a paged list. */
export function pageReply<T extends { id: string }>(
  query: PageQuery,
  items: readonly T[],
  info: PageInfo | undefined,
): Reply<T[]> {
  return { body: [...items], page: { query, info, firstId: items[0]?.id, lastId: items.at(-1)?.id } }
}

export type Auth = 'api-key' | 'customer' | 'customer-optional' | 'none'
export type Method = 'get' | 'post' | 'patch' | 'delete'
type Shape = z.ZodObject
type SuccessStatus = 200 | 201 | 204
type ScopeOf<A extends Auth> = A extends 'api-key' ? { scope: Scope } : { scope?: never }
type LocationOf<S extends SuccessStatus> = {
  success: { status: S } & (S extends 201 ? { location: `/v1/${string}` } : { location?: never })
}
