import type { Message } from '@bufbuild/protobuf'
import { nearest } from '@storekeep/proto/conventions/nearest'
import { z } from 'zod'
import { flakeId } from '../schemas/fields.ts'
import { catalog } from './catalog.ts'
import { type EventPayload, type EventType, payloadSchema } from './define-event.ts'

/** An event type that endpoints can subscribe to, such as `ban.created`. */
export type WebhookEventType = (typeof catalog)[number]['type']

export const webhookEventTypes: readonly WebhookEventType[] = catalog.map(({ type }) => type)

export const webhookEventTypeSchema = z
  .enum(webhookEventTypes)
  .meta({ id: 'WebhookEventType', description: 'Type of an event: the record and what happened to it.' })

/** The validation message for a name that is no event type, with the nearest one. */
export function notAnEventType(name: string): string {
  const closest = nearest(name, webhookEventTypes)
  return `is not an event type; ${closest === undefined ? 'see the webhooks in /docs' : `did you mean "${closest}"?`}`
}

/** The messages on the bus that have an event type, for a consumer. */
export const eventMessages = catalog.map(({ message }) => message)

/** A change as the bus delivers it (`EventEnvelope`). */
interface Change {
  /** Full name of the message type. */
  type: string
  time: Date
  storeId: string
  message: Message
}

/**
 * Renders the payload of an event: the body of its webhook requests in the format `standard`.
 * @returns undefined for a message without an event type
 * @throws Error for a message without its record
 */
export function renderEvent(change: Change): { type: WebhookEventType; payload: string } | undefined {
  const eventType = byMessage.get(change.type)
  if (!eventType) return undefined
  const { type } = eventType
  return { type, payload: print(type, change.time, eventType.dataOf(change.message, change.storeId)) }
}

const byMessage = new Map<string, EventType<WebhookEventType>>(catalog.map((one) => [one.message.typeName, one]))

/** The type of a test event, which is sent to one endpoint and needs no subscription. */
export const pingType = 'ping'

export const pingPayload = payloadSchema(
  pingType,
  'A test event for one endpoint.',
  z
    .object({
      store_id: flakeId.describe('Id of the store.'),
      webhook_endpoint_id: flakeId.describe('Id of the endpoint that is tested.'),
    })
    .meta({ id: 'PingDto', description: 'A test of a webhook endpoint.' }),
)

export const pingExample: EventPayload = {
  type: pingType,
  timestamp: '2026-11-20T14:35:17.000Z',
  data: { store_id: '411486491596816384', webhook_endpoint_id: '411486491630370910' },
}

export function renderPing(time: Date, storeId: string, webhookEndpointId: string): string {
  return print(pingType, time, { store_id: storeId, webhook_endpoint_id: webhookEndpointId })
}

function print(type: string, time: Date, data: unknown): string {
  const payload: EventPayload = { type, timestamp: time.toISOString(), data }
  return JSON.stringify(payload)
}
