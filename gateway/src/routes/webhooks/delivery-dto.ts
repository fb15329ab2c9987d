import { type Delivery, type DeliveryAttempt, DeliveryStatus } from '@storekeep/proto/webhooks/v1/delivery'
import { nameOf, namesOf } from '@storekeep/records/schemas/enums'
import { flakeId, int32, stringMap } from '@storekeep/records/schemas/fields'
import { idFields } from '@storekeep/records/schemas/record'
import { dateTime, printTime } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { webhookEndpointPath } from './webhook-endpoint-path.ts'

export const deliveryStatusValues = {
  pending: DeliveryStatus.PENDING,
  succeeded: DeliveryStatus.SUCCEEDED,
  failed: DeliveryStatus.FAILED,
} as const

export const deliveryStatus = z.enum(namesOf(deliveryStatusValues)).meta({
  id: 'WebhookDeliveryStatus',
  description:
    '`pending` while an attempt is due or scheduled. `failed` once no attempt is left, or because the endpoint was disabled.',
})

export const deliveryPath = webhookEndpointPath.extend({ deliveryId: flakeId.describe('Id of the delivery.') })

const responseStatus = int32(100, 599).nullable()

export const deliveryDtoSchema = z
  .object({
    ...idFields('delivery'),
    webhook_endpoint_id: flakeId.describe('The endpoint.'),
    event_id: z.string().describe('The `webhook-id` of the requests: the same for every attempt and every endpoint.'),
    event_type: z.string().describe('Type of the event, such as `ban.created`, or `ping`.'),
    status: deliveryStatus.describe('State of the delivery.'),
    attempt_count: int32(0).describe('Number of requests that were sent.'),
    next_attempt_at: dateTime
      .nullable()
      .describe(
        'When the next request is sent; null during a request, while an earlier delivery of the record is pending, and once the delivery has ended.',
      ),
    response_status: responseStatus.describe('HTTP status of the last response; null if there was none.'),
    error: z.string().nullable().describe('Why the last attempt failed; null if it succeeded.'),
    created_at: dateTime.describe('When the delivery was scheduled.'),
    completed_at: dateTime.nullable().describe('When the delivery ended; null while attempts remain.'),
  })
  .meta({ id: 'WebhookDeliveryDto', description: 'An event on its way to a webhook endpoint. Kept for 30 days.' })

const attemptDtoSchema = z
  .object({
    started_at: dateTime.describe('When the request was sent.'),
    duration_ms: int32(0).describe('How long the attempt took.'),
    request_headers: stringMap.describe('Headers of the request, with the values of your own headers masked.'),
    response_status: responseStatus.describe('HTTP status of the response; null if there was none.'),
    response_headers: stringMap.describe('Headers of the response.'),
    response_body: z.string().nullable().describe('The first 4 KiB of the response; null if there was none.'),
    error: z.string().nullable().describe('Why the attempt failed; null if it succeeded.'),
  })
  .meta({ id: 'WebhookAttemptDto', description: 'One request of a delivery.' })

export const deliveryDetailsSchema = deliveryDtoSchema
  .extend({
    request_body: z.string().describe('Body of the requests, in the current format of the endpoint.'),
    attempts: z.array(attemptDtoSchema).describe('The requests, oldest first.'),
  })
  .meta({ id: 'WebhookDeliveryDetailsDto', description: 'A delivery with its requests and responses.' })

type DeliveryDto = z.input<typeof deliveryDtoSchema>

export function deliveryDto(delivery: Delivery | undefined): DeliveryDto {
  if (!delivery?.createdAt) throw new Error('A service returned no delivery.')
  return {
    id: delivery.id,
    store_id: delivery.storeId,
    webhook_endpoint_id: delivery.webhookEndpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: nameOf<keyof typeof deliveryStatusValues, number>(deliveryStatusValues, delivery.status),
    attempt_count: delivery.attemptCount,
    next_attempt_at: printTime(delivery.nextAttemptAt),
    response_status: delivery.responseStatus ?? null,
    error: delivery.error ?? null,
    created_at: printTime(delivery.createdAt),
    completed_at: printTime(delivery.completedAt),
  }
}

export function attemptDto(attempt: DeliveryAttempt): z.input<typeof attemptDtoSchema> {
  if (!attempt.startedAt) throw new Error('A service returned an attempt without started_at.')
  return {
    started_at: printTime(attempt.startedAt),
    duration_ms: attempt.durationMs,
    request_headers: attempt.requestHeaders,
    response_status: attempt.responseStatus ?? null,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody ?? null,
    error: attempt.error ?? null,
  }
}

export const deliveryExample: DeliveryDto = {
  id: '411486491630370920',
  store_id: '411486491596816384',
  webhook_endpoint_id: '411486491630370910',
  event_id: '0d6b3c1e-6a55-4f3c-9a3e-2f3f8b8f9c11',
  event_type: 'order.created',
  status: 'succeeded',
  attempt_count: 1,
  next_attempt_at: null,
  response_status: 204,
  error: null,
  created_at: '2026-11-20T14:35:17.000Z',
  completed_at: '2026-11-20T14:35:17.087Z',
}

/** A delivery that was just scheduled. */
export const pendingExample: DeliveryDto = {
  ...deliveryExample,
  status: 'pending',
  attempt_count: 0,
  next_attempt_at: '2026-11-20T14:35:17.000Z',
  response_status: null,
  completed_at: null,
}
