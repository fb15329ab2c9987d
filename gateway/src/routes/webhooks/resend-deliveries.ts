import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { int32, text } from '../../schemas/fields.ts'
import { timeInput } from '../../schemas/times.ts'
import { webhookEndpointPath } from './webhook-endpoint-path.ts'

const range = z
  .object({
    since: timeInput.describe('Resends deliveries that were scheduled at or after this time …'),
    until: timeInput.describe('… and before this one.'),
    event_types: z
      .array(text(1, 64))
      .max(webhookEndpointLimits.eventTypes)
      .optional()
      .describe('Only these event types. Default: all.'),
    only_failed: z.boolean().optional().describe('Only deliveries that have failed. Default: false.'),
  })
  .meta({ id: 'ResendWebhookDeliveriesDto', description: 'Which deliveries to resend.' })

export const resendDeliveries = endpoint({
  operationId: 'resendWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'Resend the deliveries of a time range',
  description: 'Sends events again in their original order, for example after your server lost some.',
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
      .object({ scheduled: int32(0).describe('Number of deliveries that were scheduled.') })
      .meta({ id: 'ResendWebhookDeliveriesResponseDto', description: 'What is resent.' }),
    example: { scheduled: 12 },
  },
  async handle({ webhookDeliveries }, { params, body, call }) {
    const { scheduled } = await webhookDeliveries.resendDeliveries(
      {
        ...params,
        since: timestampFromDate(body.since),
        until: timestampFromDate(body.until),
        eventTypes: body.event_types ?? [],
        onlyFailed: body.only_failed ?? false,
      },
      call,
    )
    return { body: { scheduled } }
  },
})
