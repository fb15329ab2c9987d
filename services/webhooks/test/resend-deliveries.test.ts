import { faultOf, randomId, retryUnavailable, until, withKey } from '@storekeep/common/testing'
import { DeliveryStatus } from '@storekeep/proto/webhooks/v1/delivery'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import {
  counts,
  createBans,
  deliveriesOf,
  isFailed,
  publishBans,
  reasonsOf,
  receivedBy,
  seconds,
  subscribe,
  useDeliveries,
} from './deliveries-harness.ts'
import { hang } from './receiver.ts'

const test = useDeliveries()
const { receiver } = test

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

function isSuccess({ status }: { status: DeliveryStatus }): boolean {
  return status === DeliveryStatus.SUCCEEDED
}
