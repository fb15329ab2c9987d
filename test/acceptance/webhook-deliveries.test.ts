import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectFault, fresh, openShop, type TestStore, unknownId, useSharedSystem, waitFor } from '@storekeep/test/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

interface DeliveryBody {
  id: string
  event_id: string
  event_type: string
  status: string
  attempt_count: number
  error: string | null
}

/** How the receiver responds to requests to a path; 204 by default. */
const statuses = new Map<string, { status: number; retryAfter?: string }>()
const received: { path: string; id: string; body: string }[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const path = request.url ?? ''
  received.push({ path, id: String(request.headers['webhook-id']), body })
  const { status, retryAfter } = statuses.get(path) ?? { status: 204 }
  response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(`status ${status}`)
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** An endpoint for bans of a new store. */
async function subscribe(fields: object = {}, own?: TestStore) {
  const store = own ?? (await createStore())
  const hook = `/${fresh.name()}`
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${hook}`
  const input = { url, event_types: ['ban.created'], ...fields }
  const { body, text } = await store.post<{ id: string }>('/webhook-endpoints', input)
  expect(body.id, text).toBeDefined()
  const path = `/webhook-endpoints/${body.id}`
  return {
    store,
    hook,
    path,
    list: async (query = '') => (await store.get<DeliveryBody[]>(`${path}/deliveries${query}`)).body,
  }
}

/** Resolves with the deliveries of an endpoint, newest first, once all of them meet the condition. */
async function settled(list: () => Promise<DeliveryBody[]>, count: number, isMet: (one: DeliveryBody) => boolean) {
  let found: DeliveryBody[] = []
  await waitFor(`${count} deliveries`, async () => {
    found = await list()
    return found.length === count && found.every(isMet)
  })
  return found
}

const succeeded = ({ status }: DeliveryBody) => status === 'succeeded'
const attempted = ({ attempt_count }: DeliveryBody) => attempt_count === 1
const everything = { since: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }

describe('the deliveries of a webhook endpoint', () => {
  it('show each request and response, and can be filtered', async () => {
    const { store, hook, path, list } = await subscribe()
    await openShop(store).ban('steam', fresh.steamId())
    const [delivery] = await settled(list, 1, succeeded)
    expect(delivery).toMatchObject({ event_type: 'ban.created', attempt_count: 1, error: null })
    const { body } = await store.get<{ request_body: string; attempts: object[] }>(`${path}/deliveries/${delivery?.id}`)
    expect(received.filter((one) => one.path === hook)).toEqual([
      { path: hook, id: delivery?.event_id, body: body.request_body },
    ])
    expect(body.attempts).toEqual([
      expect.objectContaining({
        request_headers: expect.objectContaining({ 'webhook-id': delivery?.event_id }),
        response_status: 204,
        error: null,
      }),
    ])
    expect(await list('?status=failed')).toEqual([])
    expect(await list('?event_type=ping')).toEqual([])
    expect(await list('?status=succeeded&event_type=ban.created')).toEqual([delivery])
    expectFault(await store.get(`${path}/deliveries/${unknownId}`), 'not-found')
    expectFault(await store.get(`${path}/deliveries?status=lost`), 'validation-failed')
    const other = await subscribe({}, store)
    expectFault(await store.get(`${other.path}/deliveries/${delivery?.id}`), 'not-found')
  })

  it('contain a ping, which a retry with the same Idempotency-Key does not repeat', async () => {
    const { store, hook, path, list } = await subscribe()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const first = await store.post<DeliveryBody>(`${path}/ping`, undefined, { headers })
    expect(first.body).toMatchObject({ event_type: 'ping', status: 'pending', attempt_count: 0 })
    expect((await store.post(`${path}/ping`, undefined, { headers })).text).toBe(first.text)
    await settled(list, 1, succeeded)
    expect(received.filter((one) => one.path === hook).map(({ id }) => id)).toEqual([first.body.event_id])
  })

  it('are retried at the time of Retry-After', async () => {
    const { store, hook, list } = await subscribe()
    statuses.set(hook, { status: 503, retryAfter: '3600' })
    await openShop(store).ban('steam', fresh.steamId())
    const [delivery] = await settled(list, 1, attempted)
    expect(delivery).toMatchObject({ status: 'pending', error: 'The endpoint responded 503.', response_status: 503 })
    const { next_attempt_at } = delivery as DeliveryBody & { next_attempt_at: string }
    expect(new Date(next_attempt_at).getTime() - Date.now()).toBeGreaterThan(1_800_000)
  })

  it('end with 410, which disables the endpoint until it is enabled again', async () => {
    const { store, hook, path, list } = await subscribe()
    statuses.set(hook, { status: 410 })
    await openShop(store).ban('steam', fresh.steamId())
    const [delivery] = await settled(list, 1, ({ status }) => status === 'failed')
    expect((await store.get(path)).body).toMatchObject({ enabled: false, disabled_reason: 'gone' })
    for (const rejected of ['ping', `deliveries/${delivery?.id}/resend`]) {
      expectFault(await store.post(`${path}/${rejected}`), 'conflict')
    }
    expectFault(await store.post(`${path}/resend`, everything), 'conflict')
    const enabled = await store.patch(path, { enabled: true })
    expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null })
  })

  it('can be sent again, one or all of a time range, with the same webhook-id', async () => {
    const { store, hook, path, list } = await subscribe()
    await openShop(store).ban('steam', fresh.steamId())
    const [delivery] = await settled(list, 1, succeeded)
    const again = await store.post<DeliveryBody>(`${path}/deliveries/${delivery?.id}/resend`)
    expect(again.body).toMatchObject({ event_id: delivery?.event_id, status: 'pending' })
    expect(again.body.id).not.toBe(delivery?.id)
    await settled(list, 2, succeeded)
    const resend = async (fields: object) => (await store.post(`${path}/resend`, { ...everything, ...fields })).body
    expect(await resend({ only_failed: true })).toEqual({ scheduled: 0, next_after: null })
    expect(await resend({ event_types: ['ban.deleted'] })).toEqual({ scheduled: 0, next_after: null })
    expect(await resend({ after: delivery?.id })).toEqual({ scheduled: 0, next_after: null })
    expect(await resend({})).toEqual({ scheduled: 1, next_after: null })
    await settled(list, 3, succeeded)
    const ids = received.filter((one) => one.path === hook).map(({ id }) => id)
    expect(ids).toEqual(Array(3).fill(delivery?.event_id))
    const invalid = await store.post<{ errors: { path: string }[] }>(`${path}/resend`, {
      since: everything.until,
      until: everything.since,
      after: 'x',
    })
    expect(invalid.status).toBe(400)
  })
})
