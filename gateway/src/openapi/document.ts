import type { ErrorCode } from '@storekeep/common/errors'
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { httpStatuses } from '../errors/http-statuses.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { flakeId } from '../schemas/fields.ts'
import { type ServiceError, serviceErrorSchema } from '../schemas/service-error.ts'
import { errorCodesOf } from './error-codes.ts'

/** The OpenAPI 3.1.1 document of the endpoints: nothing in it is written by hand but what they declare. */
export function describeApi(endpoints: readonly Endpoint[]): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: describeOperation(endpoint) }
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Storekeep', version: 'v1', description },
      // Relative to where it was read, so that /docs calls the gateway that serves it.
      servers: [{ url: '/' }],
      tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
      paths,
      components: { securitySchemes },
    },
    {
      override: ({ jsonSchema, io }) => {
        // What `meta` of a schema with an override of its own leaves behind.
        if ('override' in jsonSchema) delete jsonSchema.override
        // Readers of our answers must let new members pass.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    },
  )
}

const description =
  'What a store sells, to whom, at what price, and to whom not; and its storefront. Ids are decimal strings; dates are RFC 3339 in UTC; an optional member ' +
  'without a value is null. Every answer but a success is a ServiceError.'

const securitySchemes = {
  APIKey: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'Authorization',
    description: '`APIKey <key>`, with a key of the store. Only from a secure server.',
  },
  Customer: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'Authorization',
    description: '`Customer <token>`, with a token of the store named in `x-service-store-id`.',
  },
}

function describeOperation(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, method, auth } = endpoint
  const takesBody = method === 'post' || method === 'patch'
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security(auth),
    requestParams: {
      path: pathParameters(endpoint),
      ...(endpoint.query && { query: endpoint.query }),
      header: headerParameters(endpoint),
    },
    ...(takesBody && endpoint.body && requestBody(endpoint)),
    responses: { [endpoint.success.status]: successResponse(endpoint), ...errorResponses(endpoint) },
    ...(endpoint.scope !== undefined && { 'x-scope': endpoint.scope }),
  }
}

function security(auth: Endpoint['auth']): Record<string, string[]>[] {
  switch (auth) {
    case 'api-key':
      return [{ APIKey: [] }]
    case 'customer':
      return [{ Customer: [] }]
    case 'customer-optional':
      return [{}, { Customer: [] }]
    case 'none':
      return []
  }
}

function pathParameters({ auth, params }: Endpoint): z.ZodObject {
  const shape = params?.shape ?? {}
  return auth === 'api-key' ? z.object({ storeId: flakeId, ...shape }) : z.object(shape)
}

function headerParameters({ auth, method, headers }: Endpoint): z.ZodObject {
  const takesKey = auth !== 'none' && (method === 'post' || method === 'patch')
  return z.object({
    ...(auth !== 'api-key' && { 'x-service-store-id': flakeId.meta({ description: 'The store.' }) }),
    ...headers?.shape,
    ...(takesKey && { 'idempotency-key': idempotencyKey }),
    'x-request-id': requestId,
  })
}

const idempotencyKey = z
  .string()
  .optional()
  .meta({
    description: 'The same key with the same body gets the first answer again, for 24 hours.',
    override: { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  })
const requestId = z.string().optional().meta({ description: 'Comes back in the answer; made up when absent.' })

function requestBody({ body, bodyExample }: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const media = { schema: body as z.ZodType, ...(bodyExample !== undefined && { example: bodyExample }) }
  return {
    requestBody: {
      required: body?.safeParse({}).success === false,
      content: { 'application/json': media, 'text/json': media, 'application/*+json': media },
    },
  }
}

function successResponse({ success, query, auth }: Endpoint): ZodOpenApiResponsesObject[`${1 | 2}${string}`] {
  const { description, schema, example, location } = success
  const isPaged = query !== undefined && 'after' in query.shape
  const headers = z.object({
    'x-request-id': z.string(),
    ...(auth === 'api-key' && rateLimitHeaders),
    ...(location !== undefined && { location: z.string().meta({ description: 'Path of what was made.' }) }),
    ...(isPaged && { link: z.string().optional().meta({ description: 'Addresses of the next and previous page.' }) }),
  })
  return {
    description,
    headers,
    ...(schema && { content: { 'application/json': { schema, ...(example !== undefined && { example }) } } }),
  }
}

const rateLimitHeaders = {
  ratelimit: z.string().meta({ description: 'What is left of each limit: `"api-key";r=11999;t=60`.' }),
  'ratelimit-policy': z.string().meta({ description: 'The limits: `"api-key";q=12000;w=60`.' }),
}

/** One answer per status; its description and examples name each code that it may carry. */
function errorResponses(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(errorCodesOf(endpoint), (code) => httpStatuses[code])
  const responses: Record<string, unknown> = {}
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: errorHeaders(status),
      content: {
        'application/json': {
          schema: serviceErrorSchema,
          examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code, status) }])),
        },
      },
    }
  }
  return responses as ZodOpenApiResponsesObject
}

function errorHeaders(status: number): z.ZodObject {
  return z.object({
    'x-request-id': z.string(),
    ...(status === 401 && { 'www-authenticate': z.string() }),
    ...((status === 429 || status === 503) && { 'retry-after': z.string().meta({ description: 'Seconds.' }) }),
  })
}

function errorExample(code: ErrorCode, status: number): ServiceError {
  const item = { code: 'format', message: 'must be an id', path: 'storeId', validation: 'format' as const }
  return {
    status,
    code,
    message: code === 'validation-failed' ? 'storeId: must be an id' : exampleMessages[code],
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    errors: code === 'validation-failed' ? [item] : null,
  }
}

const exampleMessages: Record<Exclude<ErrorCode, 'validation-failed'>, string> = {
  'bad-request': 'The body is not valid JSON.',
  unauthorized: 'The credential is missing or invalid.',
  forbidden: 'The API key is not one of this store.',
  'customer-banned': 'The customer is banned from this store.',
  'platform-not-allowed': 'This platform must use the server-side flow.',
  'not-found': 'There is no such customer.',
  'method-not-allowed': 'This path knows only GET, HEAD.',
  conflict: 'One of the ids belongs to another customer of the store.',
  'payload-too-large': 'The body may have at most 256 KiB.',
  'unsupported-media-type': 'The body must be application/json, text/json or application/*+json.',
  'idempotency-mismatch': 'This Idempotency-Key was already used with a different request body.',
  'too-many-requests': 'Too many requests. Try again in 3 s.',
  'internal-error': 'An internal error occurred.',
  'service-unavailable': 'The service is temporarily unavailable. Try again.',
}
