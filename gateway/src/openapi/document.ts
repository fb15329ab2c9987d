import { httpStatuses } from '@storekeep/common/http'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { faultToHttp } from '../errors/fault-to-http.ts'
import { type Endpoint, isOfStorefront, takesBody, takesIdempotencyKey } from '../http/endpoint.ts'
import { serviceErrorSchema } from '../schemas/service-error.ts'
import { errorCodesOf } from './error-codes.ts'
import { exampleFaults } from './example-faults.ts'
import { introduction } from './introduction.ts'
import { samplesOf } from './sdk/samples.ts'
import { tagDescriptions } from './tags.ts'
import { describeCallbacks, describeWebhooks, webhookSchemas } from './webhooks.ts'

/** Generates the OpenAPI 3.1.1 document from the declarations of the endpoints. */
export function describeApi(endpoints: readonly Endpoint[]): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: describeOperation(endpoint) }
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info,
      // Relative, so that /docs calls the gateway that serves it.
      servers: [{ url: '/', description: 'This gateway.' }],
      tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
      paths,
      webhooks: describeWebhooks(),
      components: { securitySchemes },
    },
    options,
  )
  document.components = {
    ...document.components,
    schemas: { ...webhookSchemas(options), ...document.components?.schemas },
  }
  simplifyReferences(document)
  addSamples(document, endpoints)
  return document
}

/** Generators do not know our SDK, so the document contains its samples. */
function addSamples(document: ReturnType<typeof createDocument>, endpoints: readonly Endpoint[]): void {
  const queries = endpoints.flatMap(({ operationId, queryExample }) =>
    queryExample ? [[operationId, queryExample] as const] : [],
  )
  const samples = samplesOf(JSON.parse(JSON.stringify(document)), new Map(queries))
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path)) {
      const source = samples.get(operation.operationId)
      // The SDK has no methods for plugins.
      if (source) operation['x-codeSamples'] = [{ lang: 'TypeScript', label: 'TypeScript', source }]
    }
  }
}

const options: CreateDocumentOptions = {
  override: ({ jsonSchema, io }) => {
    // zod-openapi keeps this keyword when a schema is described again.
    if ('override' in jsonSchema) delete jsonSchema.override
    // Clients must accept new fields in responses.
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    // Bodies may have unknown fields, which is the default. The keyword would make generated types accept misspelled ones.
    if (io === 'input' && isEmpty(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties
  },
}

/** Whether a schema accepts everything. */
function isEmpty(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0
}

/**
 * Reduces every reference to itself and its description. zod-openapi copies some keywords of the component beside the
 * reference when a schema is described again.
 */
function simplifyReferences(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if ('$ref' in node) {
    for (const keyword of Object.keys(node)) {
      if (!referenceKeywords.has(keyword)) delete (node as Record<string, unknown>)[keyword]
    }
  }
  for (const child of Object.values(node)) simplifyReferences(child)
}

const referenceKeywords: ReadonlySet<string> = new Set(['$ref', 'description', 'default', 'required'])

const securitySchemes = {
  APIKey: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'Authorization',
    description: '`APIKey <key>` with an API key of the store. For use on servers only.',
  },
  Customer: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'Authorization',
    description: '`Customer <token>` with a customer token of the store in `x-service-store-id`.',
  },
  GameServer: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'Authorization',
    description: '`Gameserver <token>` with the token of a game server. For plugins.',
  },
}

const info = {
  title: 'Storekeep',
  version: 'v1',
  summary: 'Self-hosted back end for game-community stores.',
  description: introduction,
  contact: { name: 'The operator of this Storekeep server' },
}

function describeOperation(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, auth } = endpoint
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
    ...(takesBody(endpoint) && endpoint.body && requestBody(endpoint)),
    responses: {
      [endpoint.success.status]: successResponse(endpoint),
      ...(endpoint.success.hasEtag && { 304: notModified }),
      ...errorResponses(endpoint),
    },
    ...(operationId === 'createWebhookEndpoint' && { callbacks: describeCallbacks() }),
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
    case 'game-server':
      return [{ GameServer: [] }]
  }
}

function pathParameters({ auth, params }: Endpoint): z.ZodObject {
  const shape = params?.shape ?? {}
  return auth === 'api-key' ? z.object({ storeId: flakeId.describe('Id of the store.'), ...shape }) : z.object(shape)
}

function headerParameters(endpoint: Endpoint): z.ZodObject {
  const { headers } = endpoint
  return z.object({
    ...(isOfStorefront(endpoint) && {
      'x-service-store-id': flakeId.describe('Id of the store. `x-paynow-store-id` is another name of this header.'),
    }),
    ...headers?.shape,
    ...(takesIdempotencyKey(endpoint) && { 'idempotency-key': idempotencyKey }),
    ...(endpoint.success.hasEtag && { 'if-none-match': ifNoneMatch }),
  })
}

const idempotencyKey = z
  .string()
  .optional()
  .meta({
    description: 'Makes a retry safe: the same key with the same body returns the first response again, for 24 hours.',
    override: { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  })

const ifNoneMatch = z
  .string()
  .optional()
  .describe('`ETag` values of responses that the client has. If one is current, the response is 304 without a body.')

const etag = z.string().describe('Identifies the content of the response.')

const notModified = {
  description: 'The client has the current content.',
  headers: z.object({ 'x-request-id': z.string().describe('Id of the request, for logs and support.'), etag }),
}

/** Describes only the preferred media type: generators reject the others, or generate a method for each. */
function requestBody({
  body,
  documentedBody = body,
  bodyExample,
}: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const media = { schema: documentedBody as z.ZodType, ...(bodyExample !== undefined && { example: bodyExample }) }
  return {
    requestBody: {
      required: body?.safeParse({}).success === false,
      content: { 'application/json': media },
    },
  }
}

function successResponse({ success, query, auth }: Endpoint): ZodOpenApiResponsesObject[`${1 | 2}${string}`] {
  const { description, schema, example, location, hasEtag } = success
  const isPaged = query !== undefined && 'after' in query.shape
  const headers = z.object({
    'x-request-id': responseRequestId,
    ...(auth === 'api-key' && rateLimitHeaders),
    ...(hasEtag && { etag }),
    ...(location !== undefined && { location: z.string().meta({ description: 'Path of the created resource.' }) }),
    ...(isPaged && {
      link: z
        .string()
        .optional()
        .meta({ description: 'URLs of the next and previous page (`rel="next"`, `rel="prev"`).' }),
    }),
  })
  return {
    description,
    headers,
    ...(schema && { content: { 'application/json': { schema, ...(example !== undefined && { example }) } } }),
  }
}

const responseRequestId = z.string().meta({
  description: 'Id of the request, for logs and support: the value of the request header `x-request-id`, or generated.',
})
const rateLimitHeaders = {
  ratelimit: z
    .string()
    .meta({ description: 'Remaining requests of each limit and seconds until it resets: `"api-key";r=11999;t=60`.' }),
  'ratelimit-policy': z
    .string()
    .meta({ description: 'Quota and window in seconds of each limit: `"api-key";q=12000;w=60`.' }),
}

/** One response per status; its description and examples list the codes that it can have. */
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
          examples: Object.fromEntries(
            codes.map((code) => [code, { value: faultToHttp(exampleFaults(endpoint)[code], traceId).body }]),
          ),
        },
      },
    }
  }
  return responses as ZodOpenApiResponsesObject
}

function errorHeaders(status: number): z.ZodObject {
  return z.object({
    'x-request-id': responseRequestId,
    ...(status === 401 && { 'www-authenticate': z.string().meta({ description: 'The expected scheme.' }) }),
    ...((status === 429 || status === 503) && {
      'retry-after': z.string().meta({ description: 'Seconds to wait before a retry.' }),
    }),
  })
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
