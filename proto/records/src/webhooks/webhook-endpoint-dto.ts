import { maskedValue } from '@storekeep/proto/conventions/masked-value'
import type { WebhookEndpoint } from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import { z } from 'zod'
import { nameOf } from '../schemas/enums.ts'
import { stringMap } from '../schemas/fields.ts'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'
import { sameSchemaAs } from '../schemas/same-schema-as.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { disabledReason, disabledReasonValues, webhookFormat, webhookFormatValues } from './webhook-endpoint-enums.ts'

/** Descriptions of the fields, the same in requests and responses. */
export const webhookEndpointText = {
  url: 'URL that receives events as POST requests. https, with a public address; the operator of Storekeep can allow others.',
  event_types: 'Types of the events to send, or only `*` for all, including types added in later releases.',
  enabled:
    'Whether events are sent. Events that occur while the endpoint is disabled are not sent later. Enabling it clears ' +
    '`disabled_reason` and `failing_since`.',
  description: 'Your own note. An empty string if unset.',
  format: 'Form of the requests.',
  headers:
    'Additional request headers, such as `Authorization`. Their values are secrets: responses contain ' +
    `\`${maskedValue}\` instead, and an update with that value keeps the stored one.`,
} as const

/** The values of `event_types`, declared where they are validated: `webhookEventFilter`. */
const eventFilter = z.string().meta({ override: sameSchemaAs('WebhookEventFilter') })

export const webhookEndpointDtoSchema = z
  .object({
    ...idFields('webhook endpoint'),
    url: z.string().describe(webhookEndpointText.url),
    event_types: z.array(eventFilter).describe(webhookEndpointText.event_types),
    enabled: z.boolean().describe(webhookEndpointText.enabled),
    description: z.string().describe(webhookEndpointText.description),
    format: webhookFormat.describe(webhookEndpointText.format),
    headers: stringMap.describe(webhookEndpointText.headers),
    disabled_reason: disabledReason
      .nullable()
      .describe('Why Storekeep disabled the endpoint; null if it is enabled, or if you disabled it.'),
    failing_since: dateTime
      .nullable()
      .describe(
        'When the first of the consecutive failed attempts was made; null after a success. Starts again after 36 hours without an attempt.',
      ),
    ...auditFields,
  })
  .meta({ id: 'WebhookEndpointDto', description: 'A URL of your own server that receives events of the store.' })

export type WebhookEndpointDto = z.input<typeof webhookEndpointDtoSchema>

export function webhookEndpointDto(endpoint: WebhookEndpoint | undefined): WebhookEndpointDto {
  if (!endpoint) throw new Error('A service returned no webhook endpoint.')
  return {
    id: endpoint.id,
    store_id: endpoint.storeId,
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    enabled: endpoint.enabled,
    description: endpoint.description,
    format: nameOf<keyof typeof webhookFormatValues, number>(webhookFormatValues, endpoint.format),
    headers: Object.fromEntries(endpoint.headerNames.map((name) => [name, maskedValue])),
    disabled_reason:
      endpoint.disabledReason === undefined
        ? null
        : nameOf<keyof typeof disabledReasonValues, number>(disabledReasonValues, endpoint.disabledReason),
    failing_since: printTime(endpoint.failingSince),
    ...auditDto(endpoint),
  }
}

export const webhookEndpointExample: WebhookEndpointDto = {
  id: '411486491630370910',
  store_id: '411486491596816384',
  url: 'https://shop.example.com/hooks/storekeep',
  event_types: ['order.created', 'order.refunded'],
  enabled: true,
  description: 'Delivers ranks on the game servers',
  format: 'standard',
  headers: { Authorization: maskedValue },
  disabled_reason: null,
  failing_since: null,
  ...auditExample,
}

/** An endpoint with a new signing secret. */
export const webhookEndpointWithSecretSchema = webhookEndpointDtoSchema
  .extend({
    secret: z
      .string()
      .describe(
        'Secret that verifies the signatures of requests: `whsec_` and 32 bytes in base64. It is not returned again.',
      ),
  })
  .meta({ id: 'WebhookEndpointWithSecretDto', description: 'A webhook endpoint with its new signing secret.' })

export const webhookEndpointWithSecretExample = { ...webhookEndpointExample, secret: 'whsec_…' }
