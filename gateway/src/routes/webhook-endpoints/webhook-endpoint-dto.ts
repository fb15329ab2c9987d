import {
  WebhookDisabledReason,
  type WebhookEndpoint,
  WebhookFormat,
} from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import { z } from 'zod'
import { nameOf, namesOf } from '../../schemas/enums.ts'
import { stringMap } from '../../schemas/fields.ts'
import { auditDto, auditExample, auditFields, idFields } from '../../schemas/record.ts'
import { dateTime, printTime } from '../../schemas/times.ts'

export const webhookFormatValues = { standard: WebhookFormat.STANDARD, discord: WebhookFormat.DISCORD } as const

export const webhookFormat = z.enum(namesOf(webhookFormatValues)).meta({
  id: 'WebhookFormat',
  description: '`standard`: signed JSON by the specification Standard Webhooks. `discord`: a message in a channel.',
})

const disabledReasonValues = {
  failing: WebhookDisabledReason.FAILING,
  gone: WebhookDisabledReason.GONE,
} as const

const disabledReason = z.enum(namesOf(disabledReasonValues)).meta({
  id: 'WebhookDisabledReason',
  description: '`failing`: all attempts failed for five days. `gone`: the receiver responded 410.',
})

/** Descriptions of the fields of an endpoint, the same in requests and responses. */
export const webhookEndpointText = {
  url: 'URL that receives the events: https, without credentials.',
  event_types: 'Event types that the endpoint receives, or only `*` for all, including those of later releases.',
  enabled: 'Whether the endpoint receives events. Events that happen while it is disabled are not sent later.',
  description: 'Your own note.',
  format: 'Form of the requests.',
  headers: 'Additional headers of the requests.',
} as const

export const webhookEndpointDtoSchema = z
  .object({
    ...idFields('webhook endpoint'),
    url: z.string().describe(webhookEndpointText.url),
    event_types: z.array(z.string()).describe(webhookEndpointText.event_types),
    enabled: z.boolean().describe(webhookEndpointText.enabled),
    description: z.string().describe(webhookEndpointText.description),
    format: webhookFormat.describe(webhookEndpointText.format),
    headers: stringMap.describe(`${webhookEndpointText.headers} Their values are secrets, returned as \`********\`.`),
    disabled_reason: disabledReason
      .nullable()
      .describe('Why Storekeep disabled the endpoint; null while it is enabled and if you disabled it.'),
    failing_since: dateTime.nullable().describe('Since when every attempt has failed; null after a success.'),
    ...auditFields,
  })
  .meta({ id: 'WebhookEndpointDto', description: "A URL of the store's own server that receives events." })

export type WebhookEndpointDto = z.input<typeof webhookEndpointDtoSchema>

export function webhookEndpointDto(endpoint: WebhookEndpoint | undefined): WebhookEndpointDto {
  if (!endpoint) throw new Error('A service returned no webhook endpoint.')
  const { disabledReason: reason } = endpoint
  return {
    id: endpoint.id,
    store_id: endpoint.storeId,
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    enabled: endpoint.enabled,
    description: endpoint.description,
    format: nameOf(webhookFormatValues, endpoint.format),
    headers: Object.fromEntries(endpoint.headerNames.map((name) => [name, '********'])),
    disabled_reason: reason === undefined ? null : nameOf<ReasonName, unknown>(disabledReasonValues, reason),
    failing_since: printTime(endpoint.failingSince),
    ...auditDto(endpoint),
  }
}

type ReasonName = keyof typeof disabledReasonValues

export const webhookEndpointExample: WebhookEndpointDto = {
  id: '411486491630370910',
  store_id: '411486491596816384',
  url: 'https://shop.example.com/storekeep',
  event_types: ['order.created', 'order.refunded'],
  enabled: true,
  description: 'Delivers purchases to the game servers.',
  format: 'standard',
  headers: {},
  disabled_reason: null,
  failing_since: null,
  ...auditExample,
}
