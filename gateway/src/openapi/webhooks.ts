import { catalog } from '@storekeep/records/events/catalog'
import type { EventPayload } from '@storekeep/records/events/define-event'
import { pingExample, pingPayload, pingType, webhookEventTypeSchema } from '@storekeep/records/events/event-types'
import { z } from 'zod'
import {
  type CreateDocumentOptions,
  createSchema,
  type SchemaResult,
  type ZodOpenApiCallbacksObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'

/** The section `webhooks` of the OpenAPI document: the request of each event type to an endpoint of the store. */
export function describeWebhooks(): ZodOpenApiPathsObject {
  const described = catalog.map(({ type, description, payload, example }) => [
    type,
    { post: request(type, description, payload, example) },
  ])
  const ping = request(
    pingType,
    'A test event for one endpoint, which needs no subscription.',
    pingPayload,
    pingExample,
  )
  return Object.fromEntries([...described, [pingType, { post: ping }]])
}

/**
 * The requests to a new endpoint, as callbacks of the operation that creates it. Generators such as oapi-codegen drop
 * schemas that no operation uses, so this keeps the events' schemas.
 */
export function describeCallbacks(): ZodOpenApiCallbacksObject {
  const description = 'An event of a type that the endpoint subscribes to. The section `webhooks` describes each type.'
  const event = request('of any type', description, webhookEvent, pingExample)
  return { event: { '{$request.body#/url}': { post: event } } }
}

/** The components of all payloads. As request schemas, zod-openapi would render them and their records a second time. */
export function webhookSchemas(options: CreateDocumentOptions): SchemaResult['components'] {
  const schemas = z.object({ event: webhookEvent, type: webhookEventTypeSchema })
  return createSchema(schemas, { io: 'output', opts: options }).components
}

const webhookEvent = z
  .discriminatedUnion('type', [pingPayload, ...catalog.map(({ payload }) => payload)])
  .meta({ id: 'WebhookEvent', description: 'The body of a webhook request. `type` determines the type of `data`.' })

function request(
  type: string,
  description: string,
  payload: z.ZodType,
  example: EventPayload,
): ZodOpenApiOperationObject {
  const name = payload.meta()?.id ?? ''
  return {
    operationId: name.charAt(0).toLowerCase() + name.slice(1),
    // With the operations' tag, OpenAPI Generator would replace their class with the events' class.
    tags: ['Webhook events'],
    summary: `Event ${type}`,
    description,
    security: [],
    requestParams: { header: headers },
    requestBody: {
      required: true,
      ...pythonType(name),
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example } },
    },
    responses: {
      '2XX': { description: 'The event was received. Any other response is retried for about three days.' },
      410: { description: 'The endpoint no longer exists. Storekeep disables it.' },
    },
  }
}

/**
 * The type of a header or body for OpenAPI Generator's Python client. It computes no types in the section `webhooks`, so the
 * generated file would not compile.
 */
function pythonType(name: string): { 'x-py-typing': string } {
  return { 'x-py-typing': name }
}

/** Headers of Standard Webhooks. */
const headers = z.object({
  'webhook-id': header('Id of the event. The same for every attempt: use it to ignore duplicates.'),
  'webhook-timestamp': header('Time of the attempt in Unix seconds. Reject requests that are older than five minutes.'),
  'webhook-signature': header(
    'Signatures separated by spaces, one per valid secret: `v1,` and the base64 HMAC-SHA256 of ' +
      '`<webhook-id>.<webhook-timestamp>.<body>`. Accept the request if one of them matches.',
  ),
})

function header(description: string): z.ZodType {
  return z.string().meta({ description, param: pythonType('str') })
}
