import { type CustomVariableBody, expectFault, fresh, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

const text = () => ({ identifier: fresh.name(), name: 'Nick', type: 'text' })

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
})
