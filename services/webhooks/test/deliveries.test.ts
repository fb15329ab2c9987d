import { faultOf, randomId, recordSpans, until } from '@storekeep/common/testing'
import { DeliveryStatus } from '@storekeep/proto/webhooks/v1/delivery'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import {
  counts,
  createBans,
  deliveriesOf,
  pass,
  publishBans,
  reasonsOf,
  receivedBy,
  scheduled,
  subscribe,
  useDeliveries,
} from './deliveries-harness.ts'
import { inStore } from './harness.ts'
import { hang } from './receiver.ts'

const test = useDeliveries()
const { receiver } = test

describe('an endpoint', () => {
  it('receives each event of its store and its subscribed types once', async () => {
    const all = await subscribe(test)
    const every = await subscribe(test, { eventTypes: ['*'] }, all.options)
    const updates = await subscribe(test, { eventTypes: ['ban.updated'] }, all.options)
    const disabled = await subscribe(test, { enabled: false }, all.options)
    const other = await subscribe(test)
    const id = randomId()
    await publishBans(test, all.storeId, [
      { id, version: 1 },
      { id, version: 2 },
    ])
    const [last] = await createBans(test, other.storeId, 1)
    await receivedBy(test, other, 1)
    const [created, updated] = await receivedBy(test, all, 2)
    expect([created?.payload.type, updated?.payload.type]).toEqual(['ban.created', 'ban.updated'])
    await until(async () => receiver.received(every.path).some((one) => one.id === updated?.id) || undefined)
    expect(created?.payload.data).toMatchObject({ id, store_id: all.storeId, reason: '1' })
    expect((await receivedBy(test, updates, 1)).map((one) => one.id)).toEqual([updated?.id])
    expect(receiver.received(other.path).map(({ payload }) => payload.data.id)).toEqual([last])
    await scheduled(test)
    expect(await counts(test, [all, updates, disabled, other])).toEqual([2, 1, 0, 1])
    expect(receiver.received(disabled.path)).toEqual([])
    // An event locks only the queues of endpoints that are subscribed to its type.
    const unrelated = await subscribe(test, { eventTypes: ['ban.deleted'] }, all.options)
    await createBans(test, all.storeId, 1)
    await receivedBy(test, all, 3)
    const queues = await test.database.query(sql`
      select from webhook_queue where store_id = ${all.storeId} and webhook_endpoint_id = ${unrelated.id}`)
    expect(queues).toEqual([])
  })

  it('receives nothing from before its creation, which the stream repeats after it was lost', async () => {
    const endpoint = await subscribe(test)
    const before = new Date(test.clock.now().getTime() - 120_000)
    await publishBans(test, endpoint.storeId, [{ id: randomId(), version: 1, at: before }])
    const [created] = await createBans(test, endpoint.storeId, 1)
    await scheduled(test)
    const [first] = await receivedBy(test, endpoint, 1)
    expect(first?.payload.data.id).toBe(created)
    expect(await counts(test, [endpoint])).toEqual([1])
  })

  it('receives the events of a record in order: a later one waits for the success of an earlier one', async () => {
    const endpoint = await subscribe(test)
    const [first, second] = [randomId(), randomId()]
    receiver.behave(endpoint.path, ({ payload }, attempt) => ({
      status: payload.data.id === first && payload.data.reason === '1' && attempt === 1 ? 500 : 200,
    }))
    await publishBans(test, endpoint.storeId, [
      { id: first, version: 1 },
      { id: first, version: 2 },
      { id: first, version: 3 },
      { id: second, version: 1 },
    ])
    const failed = await deliveriesOf(
      test,
      endpoint,
      (found) => found.length === 4 && found.filter(({ attemptCount }) => attemptCount === 1).length === 2,
    )
    expect(failed.map(({ attemptCount }) => attemptCount).sort()).toEqual([0, 0, 1, 1])
    await pass(test, endpoint, 10_000)
    await receivedBy(test, endpoint, 5)
    expect(reasonsOf(receiver.received(endpoint.path), first)).toEqual(['1', '1', '2', '3'])
  })

  it('a hanging endpoint has at most 8 requests in flight, and delays no other endpoint of its store', async () => {
    const hanging = await subscribe(test)
    const healthy = await subscribe(test, {}, hanging.options)
    receiver.behave(hanging.path, hang)
    await createBans(test, hanging.storeId, 30)
    await receivedBy(test, healthy, 30)
    await receivedBy(test, hanging, 8)
    expect(receiver.mostConcurrent(hanging.path)).toBe(8)
    receiver.release(hanging.path)
    await receivedBy(test, hanging, 30)
    expect(receiver.mostConcurrent(hanging.path)).toBe(8)
  })

  it('an endpoint whose secrets cannot be decrypted fails alone: other endpoints receive their events', async () => {
    const broken = await subscribe(test)
    const healthy = await subscribe(test, {}, broken.options)
    await test.database.query(sql`
      update webhook_secret set secret = substring(secret for 40)
      where store_id = ${broken.storeId} and webhook_endpoint_id = ${broken.id}`)
    await createBans(test, broken.storeId, 2)
    await receivedBy(test, healthy, 2)
    const failed = await deliveriesOf(test, broken, (all) => all.filter((one) => one.attemptCount === 1).length === 2)
    expect(failed.map(({ responseStatus }) => responseStatus)).toEqual([undefined, undefined])
    expect(receiver.received(broken.path)).toEqual([])
    await test.client.deleteWebhookEndpoint({ webhookEndpointId: broken.id }, broken.options)
  })
})

describe('a delivery', () => {
  it('is repeated with the same id until it succeeds, at the time that Retry-After names', async () => {
    const endpoint = await subscribe(test)
    receiver.behave(endpoint.path, (_, attempt) =>
      attempt === 1 ? { status: 503, headers: { 'retry-after': '3600' } } : { status: 204 },
    )
    await createBans(test, endpoint.storeId, 1)
    const [waiting] = await deliveriesOf(
      test,
      endpoint,
      ([one]) => one?.nextAttemptAt !== undefined && one.attemptCount === 1,
    )
    expect(waiting).toMatchObject({ status: DeliveryStatus.PENDING, responseStatus: 503 })
    const delayMs = Number(waiting?.nextAttemptAt?.seconds) * 1000 - Number(waiting?.createdAt?.seconds) * 1000
    expect(delayMs).toBeGreaterThanOrEqual(3600_000)
    await pass(test, endpoint, 3_700_000)
    const [first, second] = await receivedBy(test, endpoint, 2)
    expect(second?.id).toBe(first?.id)
    await deliveriesOf(test, endpoint, ([one]) => one?.status === DeliveryStatus.SUCCEEDED && one.attemptCount === 2)
  })

  it('is logged with its requests and responses, with custom header values masked, even if the receiver echoes them', async () => {
    const endpoint = await subscribe(test, {
      headers: { 'X-Token': 'canary', 'X-Longer': 'canary-finch-plumage', 'X-Longest': 'plumage-of-another-bird' },
    })
    const headers = { 'x-served-by': 'shop', 'x-echo': 'Token canary' }
    // The limit of 4,096 bytes cuts the last one after `canary-finch-plum`, whose end is the start of another value.
    const body = `\0canary canary-finch-plumage ${'é'.repeat(2025)}canary-finch-plumage`
    receiver.behave(endpoint.path, { status: 400, headers, body })
    await createBans(test, endpoint.storeId, 1)
    const [delivery] = await deliveriesOf(test, endpoint, ([one]) => one?.attemptCount === 1)
    const id = delivery?.id ?? ''
    const found = await test.deliveries.getDelivery(
      { webhookEndpointId: endpoint.id, deliveryId: id },
      endpoint.options,
    )
    expect(receiver.received(endpoint.path)[0]?.headers['x-token']).toBe('canary')
    expect(found.requestBody).toBe(receiver.received(endpoint.path)[0]?.body)
    const [attempt] = found.attempts
    expect(attempt).toMatchObject({ responseStatus: 400, error: 'The endpoint responded 400.' })
    expect(attempt?.responseHeaders).toMatchObject({ 'x-served-by': 'shop' })
    expect(attempt?.requestHeaders).toMatchObject({ 'webhook-id': delivery?.eventId, 'X-Token': '********' })
    expect(JSON.stringify(found.attempts, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).not.toMatch(
      /canary|finch|plum/,
    )
    expect(attempt?.responseBody?.length).toBeLessThanOrEqual(4096)
  })

  it('is listed by status and event type, newest first, and found only in its store and endpoint', async () => {
    const endpoint = await subscribe(test)
    receiver.behave(endpoint.path, ({ payload }) => ({ status: payload.type === 'ban.updated' ? 500 : 200 }))
    const id = randomId()
    await publishBans(test, endpoint.storeId, [
      { id, version: 1 },
      { id, version: 2 },
      { id: randomId(), version: 1 },
    ])
    const all = await deliveriesOf(
      test,
      endpoint,
      (found) => found.filter(({ attemptCount }) => attemptCount > 0).length === 3,
    )
    const [first] = all
    // Events of different records have no fixed order.
    const idsOf = (eventType: string) => all.filter((one) => one.eventType === eventType).map(({ id }) => id)
    const list = async (filter: object) => {
      const request = { webhookEndpointId: endpoint.id, ...filter }
      return (await test.deliveries.listDeliveries(request, endpoint.options)).deliveries.map((one) => one.id)
    }
    expect(await list({})).toEqual(all.map((one) => one.id).reverse())
    expect(await list({ status: DeliveryStatus.SUCCEEDED })).toEqual(idsOf('ban.created').reverse())
    expect(await list({ status: DeliveryStatus.PENDING, eventType: 'ban.updated' })).toEqual(idsOf('ban.updated'))
    expect(await list({ status: DeliveryStatus.FAILED })).toEqual([])
    const other = await subscribe(test, {}, endpoint.options)
    const get = (webhookEndpointId: string, options = endpoint.options) =>
      faultOf(test.deliveries.getDelivery({ webhookEndpointId, deliveryId: first?.id ?? '' }, options))
    expect(await get(other.id)).toMatchObject({ code: 'not-found' })
    expect(await get(endpoint.id, inStore())).toMatchObject({ code: 'not-found' })
  })

  it('continues the trace of the change, and does not send it to the receiver', async () => {
    const record = recordSpans()
    try {
      const endpoint = await subscribe(test)
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      await publishBans(test, endpoint.storeId, [{ id: randomId(), version: 1, traceparent }])
      const [received] = await receivedBy(test, endpoint, 1)
      const span = await until(async () => record.spans().find(({ name }) => name === 'POST webhook'))
      const parent = record.spans().find(({ spanId }) => spanId === span.parentId)
      expect(span).toMatchObject({ kind: 'client', traceId: '4bf92f3577b34da6a3ce929d0e0e4736', failed: false })
      expect(span.attributes).toMatchObject({
        'http.response.status_code': 200,
        'storekeep.store_id': endpoint.storeId,
      })
      expect(parent?.name).toMatch(/^process .*bans[.]ban[.]created$/)
      expect(received?.headers.traceparent).toBeUndefined()
    } finally {
      record.stop()
    }
  })
})
