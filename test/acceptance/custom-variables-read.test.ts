import { type CustomVariableBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, operator } = await useSharedSystem()

const text = () => ({ identifier: fresh.name(), name: 'Nick', type: 'text' })

describe('GET /custom-variables/{customVariableId}', () => {
  it('returns 404 for the variable of another store and for an unknown one', async () => {
    const [store, other] = await Promise.all([createStore(), createStore()])
    const { body } = await other.post<CustomVariableBody>('/custom-variables', text())
    expect((await other.get(`/custom-variables/${body.id}`)).body).toEqual(body)
    expectFault(await store.get(`/custom-variables/${body.id}`), 'not-found')
    expectFault(await store.get(`/custom-variables/${unknownId}`), 'not-found')
  })

  it.each(['0', '-1', '01', '9223372036854775808', 'abc', '%00'])('rejects the malformed id %s', async (id) => {
    const store = await createStore()
    expect((await store.get(`/custom-variables/${id}`)).status).toBe(400)
  })
})

describe('GET /custom-variables', () => {
  it('returns all variables of the store, even beyond the size of a page, newest first', async () => {
    const store = await createStore()
    await (await createStore()).post('/custom-variables', text())
    expect((await store.get('/custom-variables')).body).toEqual([])
    const created: CustomVariableBody[] = []
    for (let count = 0; count < 101; count += 1) {
      created.push((await store.post<CustomVariableBody>('/custom-variables', text())).body)
    }
    const { status, body, headers } = await store.get('/custom-variables')
    expect(status).toBe(200)
    expect(body).toEqual(created.toReversed())
    expect(headers.link).toBeUndefined()
  })

  it.each(['limit=10', 'after=1', 'before=1', 'asc=true', 'type=text', 'search=x'])(
    'rejects %s because it has no paging or filters',
    async (query) => {
      const store = await createStore()
      const response = await store.get(`/custom-variables?${query}`)
      expectFault(response, 'validation-failed', [query.split('=')[0] ?? ''])
    },
  )

  it('requires a key of the store with the read scope', async () => {
    const [store, other] = await Promise.all([createStore(), createStore()])
    const { key } = await operator.createKey(store.id, { scopes: ['custom-variables:read'] })
    const reader = { authorization: `APIKey ${key}` }
    expect((await store.get('/custom-variables', { headers: reader })).status).toBe(200)
    expectFault(await store.post('/custom-variables', text(), { headers: reader }), 'forbidden')
    expectFault(await other.get('/custom-variables', { headers: reader }), 'forbidden')
    const stranger = await createStore({ scopes: ['bans:read'] })
    expectFault(await stranger.get('/custom-variables'), 'forbidden')
    expectFault(await store.get('/custom-variables', { headers: { authorization: undefined } }), 'unauthorized')
  })
})
