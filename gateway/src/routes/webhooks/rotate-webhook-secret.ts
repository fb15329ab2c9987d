import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import { int32 } from '@storekeep/records/schemas/fields'
import { updateExample } from '@storekeep/records/schemas/record'
import {
  webhookEndpointDto,
  webhookEndpointWithSecretExample,
  webhookEndpointWithSecretSchema,
} from '@storekeep/records/webhooks/webhook-endpoint-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { webhookEndpointPath } from './webhook-endpoint-path.ts'

const { max, default: usual } = webhookEndpointLimits.overlapSeconds

const rotation = z
  .object({
    overlap_seconds: int32(0, max)
      .optional()
      .describe(
        `How long earlier secrets also sign requests, at most ${max} (a week); 0 revokes them immediately. ` +
          `Default: ${usual} (a day).`,
      ),
  })
  .meta({ id: 'RotateWebhookSecretDto', description: 'How to replace a signing secret.' })

export const rotateWebhookSecret = endpoint({
  operationId: 'rotateWebhookSecret',
  tag: 'Webhooks',
  summary: 'Rotate the signing secret of a webhook endpoint',
  description:
    'Creates a new signing secret. Until the overlap ends, each request has a signature for every valid secret. An endpoint ' +
    'has at most five: the oldest ends first.',
  method: 'post',
  path: '/v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/rotate-secret',
  auth: 'api-key',
  scope: 'webhooks:write',
  params: webhookEndpointPath,
  body: rotation,
  bodyExample: { overlap_seconds: 3600 },
  success: {
    status: 200,
    description: 'The endpoint, with its new signing secret.',
    schema: webhookEndpointWithSecretSchema,
    example: { ...webhookEndpointWithSecretExample, ...updateExample },
  },
  async handle({ webhooks }, { params, body, call }) {
    const overlap = body.overlap_seconds === undefined ? {} : { overlapSeconds: body.overlap_seconds }
    const { webhookEndpoint, secret } = await webhooks.rotateWebhookSecret({ ...params, ...overlap }, call)
    return { body: { ...webhookEndpointDto(webhookEndpoint), secret } }
  },
})
