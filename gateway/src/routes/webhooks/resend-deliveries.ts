import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import { flakeId, int32, text } from '@storekeep/records/schemas/fields'
import { timeInput } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { webhookEndpointPath } from './webhook-endpoint-path.ts'

const range = z
  .object({
    since: timeInput.describe('Resends events that were first scheduled for the endpoint at or after this time …'),
    until: timeInput.describe('… and before this one.'),
    event_types: z
      .array(text(1, 64))
      .max(webhookEndpointLimits.eventTypes)
      .optional()
      .describe('Only these event types. Default: all.'),
    only_failed: z.boolean().optional().describe('Only events that were never delivered. Default: false.'),
    after: flakeId.optional().describe('Continues after this delivery: the `next_after` of the previous response.'),
  })
  .meta({ id: 'ResendWebhookDeliveriesDto', description: 'Which deliveries to resend.' })

export const resendDeliveries = endpoint({
  operationId: 'resendWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'Resend the deliveries of a time range',
  description:
    'Sends events again in their original order, for example after your server lost some. One request schedules up to 500 events. If more may remain, the response has `next_after`: repeat the request with it as `after`, and with another `Idempotency-Key`. Events that still wait to be sent are left out.',
  method: 'post',
  path: '/v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/resend',
  auth: 'api-key',
  scope: 'webhooks:write',
  params: webhookEndpointPath,
  errors: ['conflict'],
  body: range,
  bodyExample: { since: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z', only_failed: true },
  success: {
    status: 200,
    description: 'How many deliveries were scheduled.',
    schema: z
      .object({
        scheduled: int32(0).describe('Number of deliveries that were scheduled.'),
        next_after: flakeId.nullable().describe('The `after` of the next request; null if no event remains.'),
      })
      .meta({ id: 'ResendWebhookDeliveriesResponseDto', description: 'What is resent.' }),
    example: { scheduled: 12, next_after: null },
  },
  async handle({ webhookDeliveries }, { params, body, call }) {
    const { scheduled, nextAfter = null } = await webhookDeliveries.resendDeliveries(
      {
        ...params,
        since: timestampFromDate(body.since),
        until: timestampFromDate(body.until),
        eventTypes: body.event_types ?? [],
        onlyFailed: body.only_failed ?? false,
        ...(body.after && { after: body.after }),
      },
      call,
    )
    return { body: { scheduled, next_after: nextAfter } }
  },
})
