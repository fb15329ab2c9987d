import { type CustomerBody, expectFault, fresh, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

describe('an Idempotency-Key', () => {
  it('returns the same bytes for a repeated create and creates one customer', async () => {
    const store = await createStore()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const input = { steam_id: fresh.steamId(), metadata: { z: '1', a: '2' } }
    const first = await store.post<CustomerBody>('/customers', input, { headers })
    expect(first.status).toBe(200)
    await store.patch(`/customers/${first.body.id}`, { name: 'Changed meanwhile' })
    for (let times = 0; times < 3; times++) {
      const again = await store.post('/customers', input, { headers })
      expect([again.status, again.text]).toEqual([200, first.text])
    }
    expect((await store.get<CustomerBody[]>('/customers')).body).toHaveLength(1)
  })

  it('compares the content of requests, not their formatting', async () => {
    const store = await createStore()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const steamId = fresh.steamId()
    const first = await store.post('/customers', { steam_id: steamId, name: 'A' }, { headers })
    const again = await store.post('/customers', undefined, { headers, raw: `{ "name":"A",\n"steam_id":${steamId} }` })
    expect([again.status, again.text]).toEqual([200, first.text])
  })

  it('is rejected for another body', async () => {
    const store = await createStore()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    await store.post('/customers', { name: 'One' }, { headers })
    expectFault(await store.post('/customers', { name: 'Two' }, { headers }), 'idempotency-mismatch')
    expect((await store.get<CustomerBody[]>('/customers')).body).toHaveLength(1)
  })

  it('is scoped to one store and path', async () => {
    const [store, other] = await Promise.all([createStore(), createStore()])
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const one = await store.post<CustomerBody>('/customers', { name: 'One' }, { headers })
    const two = await other.post<CustomerBody>('/customers', { name: 'Two' }, { headers })
    expect([one.status, two.status]).toEqual([200, 200])
    const { body: neighbor } = await store.post<CustomerBody>('/customers', { name: 'Neighbor' })
    const tokens = await Promise.all(
      [one.body.id, neighbor.id].map((id) =>
        store.post<{ token: string }>(`/customers/${id}/tokens`, undefined, { headers }),
      ),
    )
    expect(tokens.map(({ status }) => status)).toEqual([200, 200])
    expect(tokens[0]?.body.token).not.toBe(tokens[1]?.body.token)
  })

  it('returns the same token again, even after it was revoked', async () => {
    const store = await createStore()
    const { body: customer } = await store.post<CustomerBody>('/customers', { name: fresh.name() })
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const first = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`, undefined, { headers })
    await store.delete(`/customers/${customer.id}/tokens`)
    const again = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`, undefined, { headers })
    expect([again.status, again.text]).toEqual([200, first.text])
    expectFault(await store.shop('GET', '/store/customer', { token: again.body.token }), 'unauthorized')
  })

  it('returns the same portal session again', async () => {
    const store = await createStore()
    const { body: customer } = await store.post<CustomerBody>('/customers', { name: fresh.name() })
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const path = `/customers/${customer.id}/portal-sessions`
    const first = await store.post(path, { expires_in: 'PT1H' }, { headers })
    const again = await store.post(path, { expires_in: 'PT1H' }, { headers })
    expect([again.status, again.text]).toEqual([200, first.text])
    expectFault(await store.post(path, { expires_in: 'PT2H' }, { headers }), 'idempotency-mismatch')
  })

  it('applies to bulk creates and to updates', async () => {
    const store = await createStore()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const list = [{ name: 'One' }, { name: 'Two' }]
    const first = await store.post<CustomerBody[]>('/customers/bulk', list, { headers })
    const again = await store.post('/customers/bulk', list, { headers })
    expect([again.status, again.text]).toEqual([200, first.text])
    const path = `/customers/${first.body[0]?.id}`
    const changed = await store.patch(path, { name: 'Uno' }, { headers })
    await store.patch(path, { name: 'Un' })
    expect((await store.patch(path, { name: 'Uno' }, { headers })).text).toBe(changed.text)
    expect((await store.get<CustomerBody>(path)).body.name).toBe('Un')
  })

  it('does not store error responses: the same request may succeed later', async () => {
    const store = await createStore()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const steamId = fresh.steamId()
    const { body: holder } = await store.post<CustomerBody>('/customers', { steam_id: steamId, name: 'Holder' })
    expectFault(await store.post('/customers', { steam_id: steamId }, { headers }), 'conflict')
    await store.patch(`/customers/${holder.id}`, { steam_id: null })
    expect((await store.post('/customers', { steam_id: steamId }, { headers })).status).toBe(200)
  })

  it('applies concurrent requests once; each returns the result or 409 while it is running', async () => {
    const store = await createStore()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const input = { name: fresh.name() }
    const responses = await Promise.all(Array.from({ length: 20 }, () => store.post('/customers', input, { headers })))
    const created = responses.filter(({ status }) => status === 200)
    expect(created.length).toBeGreaterThan(0)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    for (const response of responses) if (response.status !== 200) expectFault(response, 'conflict')
    expect((await store.get<CustomerBody[]>('/customers')).body).toHaveLength(1)
    const later = await store.post('/customers', input, { headers })
    expect(later.text).toBe(created[0]?.text)
  })

  it.each([
    ['empty', ''],
    ['longer than 255 characters', 'k'.repeat(256)],
  ])('is rejected when it is %s', async (_, key) => {
    const store = await createStore()
    const { status } = await store.post('/customers', { name: 'x' }, { headers: { 'idempotency-key': key } })
    expect(status).toBe(400)
  })

  it('works with quotes, as in the draft standard, and without', async () => {
    const store = await createStore()
    const headers = { 'idempotency-key': `"${fresh.idempotencyKey()}"` }
    const first = await store.post('/customers', { name: 'Quoted' }, { headers })
    expect((await store.post('/customers', { name: 'Quoted' }, { headers })).text).toBe(first.text)
  })
})
