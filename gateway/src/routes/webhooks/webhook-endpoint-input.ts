import { present } from '@storekeep/common/message'
import { maxWebAddressLength } from '@storekeep/common/values'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import { WebhookFormat } from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import { webhookEventTypes } from '@storekeep/records/events/event-types'
import { sameSchemaAs } from '@storekeep/records/schemas/same-schema-as'
import { webhookEndpointText } from '@storekeep/records/webhooks/webhook-endpoint-dto'
import { webhookFormatValues } from '@storekeep/records/webhooks/webhook-endpoint-enums'
import { z } from 'zod'

const { descriptionLength, eventTypes, headers, headerNameLength, headerValueLength } = webhookEndpointLimits

/** A type of event to send. */
export const webhookEventFilter = z.string().meta({
  id: 'WebhookEventFilter',
  description: 'Type of an event to send: the record and what happened to it. `*` stands for every type.',
  override: { enum: ['*', ...webhookEventTypes] },
})

/**
 * Only the types are checked here: the webhooks service owns every rule, so that one response names all violations.
 */
const fields = {
  url: z.string().meta({
    description: webhookEndpointText.url,
    example: 'https://shop.example.com/hooks/storekeep',
    override: { format: 'uri', maxLength: maxWebAddressLength },
  }),
  event_types: z
    .array(webhookEventFilter)
    .meta({ description: webhookEndpointText.event_types, override: { minItems: 1, maxItems: eventTypes } }),
  enabled: z.boolean().describe(webhookEndpointText.enabled),
  description: z
    .string()
    .meta({ description: webhookEndpointText.description, override: { minLength: 0, maxLength: descriptionLength } }),
  format: z
    .string()
    .meta({ description: webhookEndpointText.format, override: sameSchemaAs('WebhookFormat', ['description']) }),
  headers: z.record(z.string(), z.string()).meta({
    description: `${webhookEndpointText.headers} At most ${headers}; an update replaces all of them.`,
    override: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: headerValueLength },
      propertyNames: { maxLength: headerNameLength },
      maxProperties: headers,
    },
  }),
}

export const newWebhookEndpoint = z
  .object({
    ...fields,
    enabled: fields.enabled.optional().describe(`${webhookEndpointText.enabled} Default: true.`),
    description: fields.description.optional().describe(webhookEndpointText.description),
    format: fields.format.optional().describe(`${webhookEndpointText.format} Default: \`standard\`.`),
    headers: fields.headers.optional(),
  })
  .meta({ id: 'CreateWebhookEndpointDto', description: 'A new webhook endpoint.' })

export const webhookEndpointPatch = z.object(fields).partial().meta({
  id: 'UpdateWebhookEndpointDto',
  description: 'Changes to a webhook endpoint. Omitted fields are left unchanged; no field accepts null.',
})

export const newWebhookEndpointExample = {
  url: 'https://shop.example.com/hooks/storekeep',
  event_types: ['order.created'],
  description: 'Delivers ranks on the game servers',
  headers: { Authorization: 'Bearer 3hZ8wQ' },
} satisfies z.input<typeof newWebhookEndpoint>

type WebhookEndpointPatch = z.output<typeof webhookEndpointPatch>

const formats: ReadonlyMap<string, WebhookFormat> = new Map(Object.entries(webhookFormatValues))

/** The body as the webhooks service expects it. */
export function webhookEndpointInput(body: WebhookEndpointPatch) {
  return present({
    url: body.url,
    eventTypes: body.event_types,
    enabled: body.enabled,
    description: body.description,
    format: body.format === undefined ? undefined : (formats.get(body.format) ?? WebhookFormat.UNSPECIFIED),
    headers: body.headers,
  })
}

/** The field mask of a PATCH: the fields in its body. */
export function webhookEndpointMask(body: WebhookEndpointPatch): string[] {
  return Object.keys(body)
}
