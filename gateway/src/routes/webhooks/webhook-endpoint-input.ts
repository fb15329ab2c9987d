import { present } from '@storekeep/common/message'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import { z } from 'zod'
import { fails, text } from '../../schemas/fields.ts'
import { webAddress } from '../../schemas/web-address.ts'
import { notAnEventType, webhookEventTypes } from '../../webhooks/event-types.ts'
import { webhookEndpointText } from './webhook-endpoint-dto.ts'
import { webhookFormat, webhookFormatValues } from './webhook-endpoint-enums.ts'

const { descriptionLength, eventTypes, headers, headerNameLength, headerValueLength } = webhookEndpointLimits

const filters: readonly string[] = ['*', ...webhookEventTypes]

/** A type of event to send. */
export const webhookEventFilter = z
  .string()
  .superRefine((name, context) => {
    if (filters.includes(name)) return
    context.addIssue({ code: 'custom', ...message('enum', notAnEventType(name)) })
  })
  .meta({
    id: 'WebhookEventFilter',
    description: 'Type of an event to send: the record and what happened to it. `*` is every type.',
    override: { enum: [...filters] },
  })

function message(kind: Parameters<typeof fails>[0], wording: string) {
  const { error, params } = fails(kind, wording)
  return { message: error, params }
}

const fields = {
  url: webAddress.meta({
    description: webhookEndpointText.url,
    example: 'https://shop.example.com/hooks/storekeep',
  }),
  event_types: z.array(webhookEventFilter).min(1).max(eventTypes).describe(webhookEndpointText.event_types),
  enabled: z.boolean().describe(webhookEndpointText.enabled),
  description: text(0, descriptionLength).describe(webhookEndpointText.description),
  format: webhookFormat.describe(webhookEndpointText.format),
  headers: z
    .record(z.string(), z.string())
    .refine((all) => Object.keys(all).length <= headers, fails('length', `must have at most ${headers} headers`))
    .meta({
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

/** The body as the webhooks service expects it. */
export function webhookEndpointInput(body: WebhookEndpointPatch) {
  return present({
    url: body.url,
    eventTypes: body.event_types,
    enabled: body.enabled,
    description: body.description,
    format: body.format && webhookFormatValues[body.format],
    headers: body.headers,
  })
}

/** The field mask of a PATCH: the fields in its body. */
export function webhookEndpointMask(body: WebhookEndpointPatch): string[] {
  return Object.keys(body)
}
