import { faultOf, randomId, recordSpans, retryUnavailable, withKey } from '@storekeep/common/testing'
import { DeliveryStatus } from '@storekeep/proto/webhooks/v1/delivery'
import { WebhookDisabledReason } from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import {
  createBans,
  deliveriesOf,
  pass,
  publishBans,
  receivedBy,
  type Subscribed,
  scheduled,
  subscribe,
  type TestDeliveries,
  until,
  useDeliveries,
} from './deliveries-harness.ts'
import { inStore } from './harness.ts'
import { hang, type Received } from './receiver.ts'

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
    // An event locks only the queues of endpoints that want its type.
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

  it('that hangs has at most 8 requests in flight, and delays no other endpoint of its store', async () => {
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

  it('whose secrets cannot be decrypted fails alone: other endpoints receive their events', async () => {
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

  it('that a caller disables has no pending deliveries any more', async () => {
    const endpoint = await subscribe(test)
    receiver.behave(endpoint.path, { status: 500, headers: { 'retry-after': '3600' } })
    const id = randomId()
    await publishBans(test, endpoint.storeId, [
      { id, version: 1 },
      { id, version: 2 },
    ])
    await deliveriesOf(test, endpoint, (all) => all.length === 2 && all[0]?.attemptCount === 1)
    await test.client.updateWebhookEndpoint(
      { webhookEndpointId: endpoint.id, webhookEndpoint: { enabled: false }, updateMask: { paths: ['enabled'] } },
      endpoint.options,
    )
    await deliveriesOf(test, endpoint, (all) => all.length === 2 && all.every(isFailed))
  })

  it('is disabled by a 410: pending deliveries fail and other endpoints are notified', async () => {
    const gone = await subscribe(test)
    const other = await subscribe(test, { eventTypes: ['webhook_endpoint.disabled'] }, gone.options)
    receiver.behave(gone.path, hang)
    const id = randomId()
    await publishBans(test, gone.storeId, [
      { id, version: 1 },
      { id, version: 2 },
    ])
    await deliveriesOf(test, gone, (all) => all.length === 2)
    await receivedBy(test, gone, 1)
    receiver.release(gone.path, 410)
    const [event] = await receivedBy(test, other, 1)
    expect(event?.payload.data).toMatchObject({ id: gone.id, enabled: false, disabled_reason: 'gone' })
    const found = await deliveriesOf(test, gone, (all) => all.length === 2 && all.every(isFailed))
    expect(found.map(({ attemptCount, error }) => [attemptCount, error])).toEqual([
      [1, 'The endpoint responded 410.'],
      [0, 'The endpoint was disabled.'],
    ])
    const { webhookEndpoint } = await test.client.getWebhookEndpoint({ webhookEndpointId: gone.id }, gone.options)
    expect(webhookEndpoint?.disabledReason).toBe(WebhookDisabledReason.GONE)
  })

  it('is not disabled by a 410 of its former URL', async () => {
    const endpoint = await subscribe(test)
    receiver.behave(endpoint.path, hang)
    await createBans(test, endpoint.storeId, 1)
    await receivedBy(test, endpoint, 1)
    const webhookEndpoint = { url: receiver.url(`${endpoint.path}-moved`) }
    await test.client.updateWebhookEndpoint(
      { webhookEndpointId: endpoint.id, webhookEndpoint, updateMask: { paths: ['url'] } },
      endpoint.options,
    )
    receiver.release(endpoint.path, 410)
    await deliveriesOf(test, endpoint, (all) => all.length === 1 && all.every(isFailed))
    expect((await endpointOf(endpoint))?.enabled).toBe(true)
  })

  it('is disabled after five days of failures, and enabling it forgets them', async () => {
    const failing = await subscribe(test)
    receiver.behave(failing.path, { status: 500 })
    await createBans(test, failing.storeId, 1)
    for (let attempts = 1; attempts <= 11; attempts += 1) {
      await deliveriesOf(test, failing, ([one]) => one?.attemptCount === attempts)
      expect((await endpointOf(failing))?.enabled).toBe(true)
      await pass(test, failing, 11 * 3_600_000)
    }
    const disabled = await until(async () => {
      const found = await endpointOf(failing)
      return found?.enabled === false ? found : undefined
    })
    expect(disabled.disabledReason).toBe(WebhookDisabledReason.FAILING)
    await test.client.updateWebhookEndpoint(
      { webhookEndpointId: failing.id, webhookEndpoint: { enabled: true }, updateMask: { paths: ['enabled'] } },
      failing.options,
    )
    expect((await endpointOf(failing))?.enabled).toBe(true)
    expect((await endpointOf(failing))?.failingSince).toBeUndefined()
  })

  it('receives nothing from before it was enabled or began to want a type, and still what it wanted before', async () => {
    const endpoint = await subscribe(test, { eventTypes: ['ban.created'], enabled: false })
    const update = async (webhookEndpoint: { enabled?: boolean; eventTypes?: string[] }, path: string) =>
      await test.client.updateWebhookEndpoint(
        { webhookEndpointId: endpoint.id, webhookEndpoint, updateMask: { paths: [path] } },
        endpoint.options,
      )
    const tenMinutesPass = async () =>
      await test.database.query(sql`
        update webhook_endpoint set created_at = created_at - interval '10 minutes', receives_since = array(
          select since - interval '10 minutes' from unnest(receives_since) with ordinality as received (since, position)
          order by position)
        where store_id = ${endpoint.storeId} and id = ${endpoint.id}`)
    const minutesAgo = (minutes: number) => new Date(test.clock.now().getTime() - minutes * 60_000)
    await tenMinutesPass()
    await update({ enabled: true }, 'enabled')
    await tenMinutesPass()
    await update({ eventTypes: ['ban.updated', 'ban.created'] }, 'event_types')
    const id = randomId()
    await publishBans(test, endpoint.storeId, [
      { id: randomId(), version: 1, at: minutesAgo(15) },
      { id, version: 1, at: minutesAgo(5) },
      { id, version: 2, at: minutesAgo(5) },
      { id, version: 3 },
    ])
    await scheduled(test)
    await receivedBy(test, endpoint, 2)
    expect(reasonsOf(receiver.received(endpoint.path), id)).toEqual(['1', '3'])
    expect(await counts(test, [endpoint])).toEqual([2])
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

  it('continues the trace of the change, and tells the receiver nothing of it', async () => {
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

describe('what was sent', () => {
  it('can be tested with a ping, which needs no subscription', async () => {
    const endpoint = await subscribe(test, { eventTypes: ['ban.deleted'] })
    const { delivery } = await test.deliveries.pingWebhookEndpoint({ webhookEndpointId: endpoint.id }, endpoint.options)
    const [ping] = await receivedBy(test, endpoint, 1)
    expect(ping).toMatchObject({
      id: delivery?.eventId,
      payload: { type: 'ping', data: { webhook_endpoint_id: endpoint.id } },
    })
  })

  it('can be sent again: one delivery as another with the same webhook-id', async () => {
    const endpoint = await subscribe(test)
    await createBans(test, endpoint.storeId, 1)
    const [delivery] = await deliveriesOf(test, endpoint, ([one]) => one?.status === DeliveryStatus.SUCCEEDED)
    const request = { webhookEndpointId: endpoint.id, deliveryId: delivery?.id ?? '' }
    const again = await test.deliveries.resendDelivery(request, endpoint.options)
    expect(again.delivery).toMatchObject({
      eventId: delivery?.eventId,
      status: DeliveryStatus.PENDING,
      attemptCount: 0,
    })
    expect(again.delivery?.id).not.toBe(delivery?.id)
    const [first, second] = await receivedBy(test, endpoint, 2)
    expect(second).toMatchObject({ id: first?.id, body: first?.body })
  })

  it('can be sent again for a time range, in order, only what failed if so chosen', async () => {
    const endpoint = await subscribe(test)
    const id = randomId()
    const [succeeded] = await createBans(test, endpoint.storeId, 1)
    await deliveriesOf(test, endpoint, (found) => found.length === 1 && found.every(isSuccess))
    receiver.behave(endpoint.path, hang)
    await publishBans(
      test,
      endpoint.storeId,
      [1, 2, 3].map((version) => ({ id, version })),
    )
    await deliveriesOf(test, endpoint, (found) => found.length === 4)
    await receivedBy(test, endpoint, 2)
    receiver.release(endpoint.path, 410)
    await deliveriesOf(test, endpoint, (found) => found.filter(isFailed).length === 3)
    const range = { webhookEndpointId: endpoint.id, since: seconds(test, -3600), until: seconds(test, 3600) }
    expect(await faultOf(test.deliveries.resendDeliveries(range, endpoint.options))).toMatchObject({ code: 'conflict' })
    await test.client.updateWebhookEndpoint(
      { webhookEndpointId: endpoint.id, webhookEndpoint: { enabled: true }, updateMask: { paths: ['enabled'] } },
      endpoint.options,
    )
    const resend = async (fields: object) =>
      (await test.deliveries.resendDeliveries({ ...range, ...fields }, endpoint.options)).scheduled
    expect(await resend({ eventTypes: ['ban.deleted'] })).toBe(0)
    expect(await resend({ until: seconds(test, -1800) })).toBe(0)
    expect(await resend({ onlyFailed: true })).toBe(3)
    await deliveriesOf(test, endpoint, (found) => found.filter(isSuccess).length === 4)
    expect(reasonsOf(receiver.received(endpoint.path), id).slice(-3)).toEqual(['1', '2', '3'])
    expect(await resend({ onlyFailed: true })).toBe(0)
    expect(await resend({})).toBe(4)
    await receivedBy(test, endpoint, 9)
    expect(receiver.received(endpoint.path).filter(({ payload }) => payload.data.id === succeeded)).toHaveLength(2)
  })

  it('is not sent again by a resend of what failed if it succeeds before the resend takes its lock', async () => {
    const { endpoint, request } = await failedDelivery()
    const resent = await test.database.transaction(async (tx) => {
      const ofEndpoint = sql`store_id = ${endpoint.storeId} and webhook_endpoint_id = ${endpoint.id}`
      await tx.query(sql`select from webhook_queue where ${ofEndpoint} for update`)
      const resending = retryUnavailable(() => test.deliveries.resendDeliveries(request, endpoint.options))
      // It has chosen the event, and its transaction waits for the lock.
      await until(async () => {
        const waiting = await test.database.query(sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
            and query like '%insert into webhook_queue%'`)
        return waiting.length > 0 || undefined
      })
      await tx.query(sql`
        insert into webhook_delivery (store_id, webhook_endpoint_id, event_id, event_type, resource, status, created_at)
        select store_id, webhook_endpoint_id, event_id, event_type, resource, 'succeeded', now() from webhook_delivery
        where ${ofEndpoint}`)
      return { resending }
    })
    expect((await resent.resending).scheduled).toBe(0)
  })

  it('is not read again by a resend that is repeated with its idempotency key', async () => {
    const { endpoint, request } = await failedDelivery()
    const options = withKey(endpoint.options)
    const first = await test.deliveries.resendDeliveries(request, options)
    expect(first.scheduled).toBe(1)
    await test.database.transaction(async (tx) => {
      await tx.query(sql`lock table webhook_delivery in access exclusive mode`)
      expect(await test.deliveries.resendDeliveries(request, options)).toEqual(first)
    })
  })

  it('can be sent again beyond the limit of a call, from where the response says', async () => {
    const endpoint = await subscribe(test)
    receiver.behave(endpoint.path, hang)
    const now = test.clock.now()
    await test.database.query(sql`
      with event as (
        insert into webhook_event (store_id, id, type, resource, payload, occurred_at, created_at)
        select ${endpoint.storeId}, gen_random_uuid(), 'ban.created', 'ban ' || n, '{}', ${now},
          ${now}::timestamptz - interval '1 hour' + n * interval '1 millisecond'
        from generate_series(1, 501) as n returning *
      )
      insert into webhook_delivery (store_id, webhook_endpoint_id, event_id, event_type, resource, status, created_at)
      select store_id, ${endpoint.id}, id, type, resource, 'failed', created_at from event order by created_at`)
    const request = { webhookEndpointId: endpoint.id, since: seconds(test, -7200), until: seconds(test, 3600) }
    const first = await test.deliveries.resendDeliveries(request, endpoint.options)
    expect(first).toMatchObject({ scheduled: 500, nextAfter: expect.any(String) })
    const second = await test.deliveries.resendDeliveries({ ...request, after: first.nextAfter }, endpoint.options)
    expect([second.scheduled, second.nextAfter]).toEqual([1, undefined])
    expect((await test.deliveries.resendDeliveries(request, endpoint.options)).scheduled).toBe(0)
    receiver.release(endpoint.path)
  })

  it('rejects a time range that is missing or empty, and an endpoint that is disabled', async () => {
    const endpoint = await subscribe(test, { enabled: false })
    const request = { webhookEndpointId: endpoint.id }
    const fault = await faultOf(test.deliveries.resendDeliveries(request, endpoint.options))
    expect(fault).toMatchObject({ code: 'validation-failed', violations: [{ path: 'since' }, { path: 'until' }] })
    const now = seconds(test, 0)
    const empty = await faultOf(
      test.deliveries.resendDeliveries({ ...request, since: now, until: now }, endpoint.options),
    )
    expect(empty).toMatchObject({ code: 'validation-failed', violations: [{ path: 'until' }] })
    expect(await faultOf(test.deliveries.pingWebhookEndpoint(request, endpoint.options))).toMatchObject({
      code: 'conflict',
    })
  })

  it('is deleted with its endpoint, and 30 days later', async () => {
    const kept = await subscribe(test)
    const deleted = await subscribe(test, {}, kept.options)
    await createBans(test, kept.storeId, 3)
    await deliveriesOf(test, kept, (found) => found.filter(isSuccess).length === 3)
    await receivedBy(test, deleted, 3)
    await test.client.deleteWebhookEndpoint({ webhookEndpointId: deleted.id }, kept.options)
    await until(async () => (await counts(test, [deleted]))[0] === 0 || undefined)
    expect(await counts(test, [kept])).toEqual([3])
    await test.database.query(sql`
      update webhook_event set created_at = created_at - interval '31 days' where store_id = ${kept.storeId}`)
    await until(async () => (await counts(test, [kept]))[0] === 0 || undefined)
    const left = await test.database.query(sql`select from webhook_event where store_id = ${kept.storeId}`)
    expect(left).toEqual([])
  })
})

/** An endpoint whose only delivery has failed, and the request that sends again what failed. */
async function failedDelivery() {
  const endpoint = await subscribe(test)
  receiver.behave(endpoint.path, { status: 500 })
  await createBans(test, endpoint.storeId, 1)
  await deliveriesOf(test, endpoint, ([one]) => one?.attemptCount === 1)
  await test.database.query(sql`
    update webhook_delivery set status = 'failed', due_at = null, completed_at = now() where store_id = ${endpoint.storeId}`)
  receiver.behave(endpoint.path, { status: 200 })
  const range = { since: seconds(test, -3600), until: seconds(test, 3600) }
  return { endpoint, request: { webhookEndpointId: endpoint.id, ...range, onlyFailed: true } }
}

async function endpointOf({ id, options }: Subscribed) {
  return (await test.client.getWebhookEndpoint({ webhookEndpointId: id }, options)).webhookEndpoint
}

/** The number of deliveries of each endpoint. */
async function counts({ database }: TestDeliveries, endpoints: readonly Subscribed[]): Promise<number[]> {
  return await Promise.all(
    endpoints.map(async ({ storeId, id }) => {
      const rows = await database.query(sql`
        select from webhook_delivery where store_id = ${storeId} and webhook_endpoint_id = ${id}`)
      return rows.length
    }),
  )
}

/** The versions of a ban in the order of their requests. */
function reasonsOf(received: readonly Received[], id: string): unknown[] {
  return received.filter(({ payload }) => payload.data.id === id).map(({ payload }) => payload.data.reason)
}

function seconds({ clock }: TestDeliveries, offset: number) {
  return { seconds: BigInt(Math.floor(clock.now().getTime() / 1000) + offset), nanos: 0 }
}

function isSuccess({ status }: { status: DeliveryStatus }): boolean {
  return status === DeliveryStatus.SUCCEEDED
}

function isFailed({ status }: { status: DeliveryStatus }): boolean {
  return status === DeliveryStatus.FAILED
}
