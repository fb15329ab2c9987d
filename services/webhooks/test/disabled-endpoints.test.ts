import { randomId, until } from '@storekeep/common/testing'
import { WebhookDisabledReason } from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import {
  counts,
  createBans,
  deliveriesOf,
  isFailed,
  pass,
  publishBans,
  reasonsOf,
  receivedBy,
  type Subscribed,
  scheduled,
  subscribe,
  useDeliveries,
} from './deliveries-harness.ts'
import { hang } from './receiver.ts'

const test = useDeliveries()
const { receiver } = test

describe('an endpoint', () => {
  it('an endpoint disabled by a caller has no pending deliveries any more', async () => {
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

async function endpointOf({ id, options }: Subscribed) {
  return (await test.client.getWebhookEndpoint({ webhookEndpointId: id }, options)).webhookEndpoint
}
