import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SecretBox } from '@storekeep/common/crypto'
import type { CallOptions } from '@storekeep/common/grpc'
import type { Queryable } from '@storekeep/common/postgres'
import { type Env, randomId, type TestService, useService, withApiKey } from '@storekeep/common/testing'
import { file_storekeep_webhooks_v1_events as events } from '@storekeep/proto/webhooks/v1/events'
import {
  type WebhookEndpoint,
  type WebhookEndpointInputSchema,
  WebhookFormat,
} from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import { readConfig, type WebhooksConfig } from '../src/config.ts'
import { openSecret, selectSealed } from '../src/endpoints/db/secret-repository.ts'
import { webhooks as service } from '../src/service.ts'

/** Maintenance runs often. */
function readTestConfig(env: Env): WebhooksConfig {
  const config = readConfig(env)
  return { ...config, reencryptMs: 50, attempts: { ...config.attempts, maintenanceMs: 50 } }
}

/** See `useService`. */
export function useWebhooks(change?: (env: Env) => Promise<Env>): TestWebhooks {
  return useService({ service, definition: WebhooksService, events, readConfig: readTestConfig, settings: {}, change })
}

export type TestWebhooks = TestService<WebhooksConfig, typeof WebhooksService>

/** Call options with an API key of the store; of a new store unless one is given. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

export type Input = MessageInitShape<typeof WebhookEndpointInputSchema>

/** A valid input. */
export function endpointInput(fields: Input = {}): Input {
  const url = 'https://hooks.example.com/storekeep'
  return { url, eventTypes: ['*'], enabled: true, format: WebhookFormat.STANDARD, ...fields }
}

export async function createTestEndpoint(
  { client }: TestWebhooks,
  options: CallOptions,
  fields: Input = {},
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const created = await client.createWebhookEndpoint({ webhookEndpoint: endpointInput(fields) }, options)
  if (!created.webhookEndpoint) throw new Error('CreateWebhookEndpoint returned no endpoint')
  return { endpoint: created.webhookEndpoint, secret: created.secret }
}

/** The secrets that sign requests to an endpoint at this time, the newest first. */
export async function signingSecrets(
  database: Queryable,
  box: SecretBox,
  endpoint: Pick<WebhookEndpoint, 'storeId' | 'id'>,
  at: Date,
): Promise<string[]> {
  const sealed = await selectSealed(database, [endpoint], at)
  return sealed.flatMap(({ key, secrets }) => secrets.map((secret) => openSecret(box, key, secret)))
}
