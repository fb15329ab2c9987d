import { randomUUID } from 'node:crypto'
import { publishEvent } from '@storekeep/common/events'
import { type CallOptions, type Client, createClient } from '@storekeep/common/grpc'
import { createTestTransport, type Env, randomId, until } from '@storekeep/common/testing'
import { BanCreatedSchema, BanUpdatedSchema } from '@storekeep/proto/bans/v1/events'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { DeliveriesService } from '@storekeep/proto/webhooks/v1/deliveries_service'
import { type Delivery, DeliveryStatus } from '@storekeep/proto/webhooks/v1/delivery'
import sql from 'sql-template-tag'
import { afterAll, beforeAll } from 'vitest'
import { createTestEndpoint, type Input, inStore, type TestWebhooks, useWebhooks } from './harness.ts'
import { type Received, type Receiver, useReceiver } from './receiver.ts'

/** The service with clients of both its gRPC services, and a server that receives webhooks. See `useService`. */
export function useDeliveries(settings: Env = {}): TestDeliveries {
  const receiver = useReceiver()
  const outgoing = { WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const webhooks = useWebhooks(async (env) => ({ ...env, ...outgoing, ...settings }))
  let deliveries: Client<typeof DeliveriesService> | undefined
  let close = () => {}
  beforeAll(() => {
    const transport = createTestTransport('webhooks', webhooks.running.address)
    deliveries = createClient(DeliveriesService, transport)
    close = transport.close
  })
  afterAll(() => close())
  return Object.defineProperties(webhooks, {
    receiver: { value: receiver },
    deliveries: { get: () => deliveries },
  }) as TestDeliveries
}

export type TestDeliveries = TestWebhooks & { receiver: Receiver; deliveries: Client<typeof DeliveriesService> }

/** An endpoint for bans, of a new store, at a new path of the receiver. */
export async function subscribe(test: TestDeliveries, fields: Input = {}, options = inStore()): Promise<Subscribed> {
  const path = `/${randomUUID()}`
  const { endpoint, secret } = await createTestEndpoint(test, options, {
    url: test.receiver.url(path),
    eventTypes: ['ban.created', 'ban.updated'],
    ...fields,
  })
  return { path, id: endpoint.id, storeId: endpoint.storeId, secret, options }
}

export interface Subscribed {
  path: string
  id: string
  storeId: string
  secret: string
  options: CallOptions & { storeId: string }
}

const createdAt = { seconds: 1_700_000_000n, nanos: 0 }
const createdBy = { type: ActorType.API_KEY, id: '1' }

/** Publishes changes of bans, in order, as the bans service would, at a time in the past if one is given. The reason of a ban is its version. */
export async function publishBans(
  { database }: Pick<TestDeliveries, 'database'>,
  storeId: string,
  bans: readonly { id: string; version: number; traceparent?: string; at?: Date }[],
): Promise<void> {
  for (const { id, version, traceparent, at } of bans) {
    await database.transaction(async (tx) => {
      await publishEvent(tx, {
        service: 'bans',
        aggregate: 'ban',
        verb: version === 1 ? 'created' : 'updated',
        aggregateId: id,
        aggregateVersion: version,
        storeId,
        traceparent,
        schema: version === 1 ? BanCreatedSchema : BanUpdatedSchema,
        message: { ban: { id, storeId, reason: `${version}`, version: BigInt(version), createdAt, createdBy } },
      })
      if (!at) return
      tx.enqueueBeforeCommit(sql`
        update outbox set created_at = ${at} where aggregate_id = ${id} and aggregate_version = ${version}`)
    })
  }
}

/** Publishes the creation of this many bans. @returns their ids */
export async function createBans(
  test: Pick<TestDeliveries, 'database'>,
  storeId: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomId())
  await publishBans(
    test,
    storeId,
    ids.map((id) => ({ id, version: 1 })),
  )
  return ids
}

/** Resolves with the requests to a path once there are this many. */
export async function receivedBy(
  { receiver }: TestDeliveries,
  { path }: Subscribed,
  count: number,
): Promise<Received[]> {
  return await until(async () => {
    const received = receiver.received(path)
    return received.length >= count ? received : undefined
  })
}

/** Resolves with the deliveries of an endpoint, the oldest first, once there are this many and the condition is met. */
export async function deliveriesOf(
  { deliveries }: TestDeliveries,
  { id, options }: Subscribed,
  isExpected: (found: Delivery[]) => boolean,
): Promise<Delivery[]> {
  return await until(async () => {
    const page = { limit: 100, asc: true }
    const found = (await deliveries.listDeliveries({ webhookEndpointId: id, page }, options)).deliveries
    return isExpected(found) ? found : undefined
  })
}

/** As if this time had passed for the retries of an endpoint, and for its health. Attempts in flight keep their leases. */
export async function pass({ database }: TestDeliveries, { id, storeId }: Subscribed, ms: number): Promise<void> {
  const earlier = sql`${ms} * interval '1 millisecond'`
  const ofEndpoint = sql`store_id = ${storeId} and webhook_endpoint_id = ${id}`
  await database.query(sql`
    update webhook_endpoint set failing_since = failing_since - ${earlier} where store_id = ${storeId} and id = ${id}`)
  await database.query(sql`
    update webhook_delivery set due_at = due_at - ${earlier} where ${ofEndpoint} and lease is null`)
  await database.query(sql`
    update webhook_queue set due_at = due_at - ${earlier}, last_failed_at = last_failed_at - ${earlier} where ${ofEndpoint}`)
}

/** Resolves when every event published so far has been scheduled. */
export async function scheduled({ database }: TestDeliveries): Promise<void> {
  await until(async () => {
    const waiting = await database.query(sql`
      select from outbox where published_at is null
        or stream_sequence > coalesce((select sequence from stream_position where consumer = 'webhooks-events'), 0)`)
    return waiting.length === 0 || undefined
  })
}

/** The number of deliveries of each endpoint. */
export async function counts({ database }: TestDeliveries, endpoints: readonly Subscribed[]): Promise<number[]> {
  return await Promise.all(
    endpoints.map(async ({ storeId, id }) => {
      const rows = await database.query(sql`
        select from webhook_delivery where store_id = ${storeId} and webhook_endpoint_id = ${id}`)
      return rows.length
    }),
  )
}

/** The versions of a ban in the order of their requests. */
export function reasonsOf(received: readonly Received[], id: string): unknown[] {
  return received.filter(({ payload }) => payload.data.id === id).map(({ payload }) => payload.data.reason)
}

export function seconds({ clock }: TestDeliveries, offset: number) {
  return { seconds: BigInt(Math.floor(clock.now().getTime() / 1000) + offset), nanos: 0 }
}

export function isFailed({ status }: { status: DeliveryStatus }): boolean {
  return status === DeliveryStatus.FAILED
}
