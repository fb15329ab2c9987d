import { createClient } from '@storekeep/common/grpc'
import { createTestTransport, isPublished, operator, randomId } from '@storekeep/common/testing'
import { ListeningService } from '@storekeep/proto/webhooks/v1/listening_service'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestEndpoint, inStore, useWebhooks } from './harness.ts'

const webhooks = useWebhooks()
let transport: ReturnType<typeof createTestTransport>
beforeAll(() => {
  transport = createTestTransport('webhooks', webhooks.running.address)
})
afterAll(() => transport.close())

/** Follows the events of a store, as admin-tools does, until it has received some. */
async function follow(storeId: string, eventTypes: string[] = []) {
  const client = createClient(ListeningService, transport)
  let { position, events } = await client.pullEvents({ eventTypes }, operator({ storeId }))
  expect(events).toEqual([])
  return async (count: number) => {
    const received: { id: string; type: string; payload: string }[] = []
    while (received.length < count) {
      ;({ position, events } = await client.pullEvents({ position, eventTypes }, operator({ storeId })))
      received.push(...events.map(({ id, type, payload }) => ({ id, type, payload })))
    }
    return received
  }
}

describe('PullEvents', () => {
  it('returns the events of a store from the first call on, in order, as endpoints receive them', async () => {
    const options = inStore()
    const earlier = await createTestEndpoint(webhooks, options)
    await expect.poll(() => isPublished(webhooks, earlier.endpoint.id)).toBe(true)
    const next = await follow(options.storeId)
    const other = inStore()
    await createTestEndpoint(webhooks, other)
    const made = [await createTestEndpoint(webhooks, options), await createTestEndpoint(webhooks, options)]
    const received = await next(2)
    expect(received.map(({ payload }) => JSON.parse(payload))).toMatchObject(
      made.map(({ endpoint }) => ({ type: 'webhook_endpoint.created', data: { id: endpoint.id } })),
    )
    expect(new Set(received.map(({ id }) => id)).size).toBe(2)
  })

  it('returns only the types that were asked for', async () => {
    const options = inStore()
    const next = await follow(options.storeId, ['webhook_endpoint.deleted'])
    const { endpoint } = await createTestEndpoint(webhooks, options)
    await webhooks.client.deleteWebhookEndpoint({ webhookEndpointId: endpoint.id }, options)
    expect(await next(1)).toMatchObject([{ type: 'webhook_endpoint.deleted' }])
  })

  it('skips malformed events and returns those after it', async () => {
    const options = inStore()
    const next = await follow(options.storeId)
    // More than one read returns. Half of them cannot be decoded, and the others have no record.
    const ids = Array.from({ length: 60 }, () => randomId())
    const payloads = ids.map((_, index) => (index % 2 === 0 ? Buffer.from([0xff]) : Buffer.alloc(0)))
    await webhooks.database.query(sql`
      insert into outbox (event_id, store_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload)
      select gen_random_uuid(), ${options.storeId}, 'webhooks', 'webhook_endpoint', id, 1, 'created',
        'storekeep.webhooks.v1.WebhookEndpointCreated', payload
      from unnest(${ids}::text[], ${payloads}::bytea[]) as malformed (id, payload)`)
    for (const id of ids) await expect.poll(() => isPublished(webhooks, id), { timeout: 60_000 }).toBe(true)
    const { endpoint } = await createTestEndpoint(webhooks, options)
    expect((await next(1)).map(({ payload }) => JSON.parse(payload))).toMatchObject([{ data: { id: endpoint.id } }])
  })

  it('rejects unknown types and suggests the nearest one', async () => {
    const client = createClient(ListeningService, transport)
    const pull = client.pullEvents({ eventTypes: ['ban.created', 'ban.creatd'] }, operator({ storeId: randomId() }))
    await expect(pull).rejects.toMatchObject({
      violations: [
        { path: 'event_types.1', message: '"ban.creatd" is not an event type; did you mean "ban.created"?' },
      ],
    })
  })
})
