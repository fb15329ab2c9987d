import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import {
  WebhookEndpointCreatedSchema,
  WebhookEndpointDeletedSchema,
  WebhookEndpointDisabledSchema,
  WebhookEndpointUpdatedSchema,
} from '@storekeep/proto/webhooks/v1/events'
import type { EndpointRow } from '../db/schema.ts'
import { endpointToProto } from '../mappers.ts'

const webhookEndpoint = defineAggregate('webhooks', 'webhook_endpoint')

export async function publishEndpointCreated(tx: Transaction, row: EndpointRow, cause: Cause): Promise<void> {
  const message = { webhookEndpoint: endpointToProto(row) }
  await webhookEndpoint.publish(tx, row, cause, { verb: 'created', schema: WebhookEndpointCreatedSchema, message })
}

export async function publishEndpointUpdated(tx: Transaction, row: EndpointRow, cause: Cause): Promise<void> {
  const message = { webhookEndpoint: endpointToProto(row) }
  await webhookEndpoint.publish(tx, row, cause, { verb: 'updated', schema: WebhookEndpointUpdatedSchema, message })
}

export async function publishEndpointDeleted(tx: Transaction, before: EndpointRow, call: Call): Promise<void> {
  const messageOf = (row: typeof before) => ({ webhookEndpoint: endpointToProto(row), deletedBy: call.actor })
  await webhookEndpoint.publishDeleted(tx, before, call, { schema: WebhookEndpointDeletedSchema, messageOf })
}

export async function publishEndpointDisabled(tx: Transaction, row: EndpointRow, cause: Cause): Promise<void> {
  const message = { webhookEndpoint: endpointToProto(row) }
  await webhookEndpoint.publish(tx, row, cause, { verb: 'disabled', schema: WebhookEndpointDisabledSchema, message })
}
