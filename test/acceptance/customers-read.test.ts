import {
  type CustomerBody,
  expectFault,
  fresh,
  type HttpResponse,
  unknownId,
  useSharedSystem,
} from '@storekeep/test/kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { listIndexes } from './lists.ts'

const { createStore, http } = await useSharedSystem()

describe('GET /customers/{customerId}', () => {
  it('returns the customer', async () => {
    const store = await createStore()
    const { body: created } = await store.post<CustomerBody>('/customers', { name: 'Ann' })
    const { status, body } = await store.get(`/customers/${created.id}`)
    expect(status).toBe(200)
    expect(body).toEqual(created)
  })
})

describe('GET /customers', () => {
  const seven: CustomerBody[] = []
  let store: Awaited<ReturnType<typeof createStore>>
  beforeAll(async () => {
    store = await createStore()
    for (let index = 0; index < 7; index++) {
      const { body } = await store.post<CustomerBody>('/customers', { name: `Customer ${index}` })
      seven.push(body)
    }
  })

  it('returns the newest first', async () => {
    const { status, body } = await store.get<CustomerBody[]>('/customers')
    expect(status).toBe(200)
    expect(body).toEqual(seven.toReversed())
  })

  it('returns the oldest first with asc=true', async () => {
    expect((await store.get('/customers?asc=true')).body).toEqual(seven)
    expect((await store.get('/customers?asc=false')).body).toEqual(seven.toReversed())
  })

  it('is empty for a store without customers', async () => {
    expect((await (await createStore()).get('/customers')).body).toEqual([])
  })

  it.each([
    ['after in ascending order', 'asc=true&limit=2&after=#2', [3, 4]],
    ['before in ascending order, nearest first', 'asc=true&limit=2&before=#5', [3, 4]],
    ['both in ascending order, the first of the interval', 'asc=true&limit=2&after=#1&before=#6', [2, 3]],
    ['after in descending order', 'limit=2&after=#4', [3, 2]],
    ['before in descending order, nearest first', 'limit=2&before=#1', [3, 2]],
    ['both in descending order, the first of the interval', 'limit=2&after=#6&before=#1', [5, 4]],
    ['nothing beyond the end', 'asc=true&after=#6', []],
    ['nothing before the beginning', 'asc=true&before=#0', []],
    ['an empty interval', 'asc=true&after=#3&before=#4', []],
    ['a page of one', 'limit=1', [6]],
    ['a cursor that is not the id of a customer', 'asc=true&after=1&limit=3', [0, 1, 2]],
  ])('returns %s', async (_, query, expected) => {
    expect(await listIndexes(store, '/customers', seven, query)).toEqual(expected)
  })

  it.each(['', 'asc=true&'])('can be paged to both ends by its Link headers (%s)', async (order) => {
    const forward = await walk(`/v1/stores/${store.id}/customers?${order}limit=3`, 'next')
    expect(forward.pages.map(({ length }) => length)).toEqual([3, 3, 1])
    const all = forward.pages.flat()
    expect(all).toEqual(order ? seven : seven.toReversed())
    const back = await walk(forward.last, 'prev')
    expect(new Set(back.pages.flat().map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)))
  })

  it('has no Link header when everything fits on one page', async () => {
    expect((await store.get('/customers')).headers.link).toBeUndefined()
  })

  it('treats empty parameters as absent, and ignores the case of booleans', async () => {
    const all = await store.get<CustomerBody[]>('/customers?asc=true')
    const same = await store.get<CustomerBody[]>('/customers?limit=&after=&before=&search=&customer_id=&asc=True')
    expect(same.body.map(({ id }) => id)).toEqual(all.body.map(({ id }) => id))
  })

  it('rejects an unknown filter and suggests the nearest', async () => {
    const fault = expectFault(await store.get('/customers?serach=ann'), 'validation-failed', ['serach'])
    expect(JSON.stringify(fault)).toContain('search')
  })

  async function walk(first: string, rel: 'next' | 'prev'): Promise<{ pages: CustomerBody[][]; last: string }> {
    const pages: CustomerBody[][] = []
    for (let path: string | undefined = first, last = first; ; last = path) {
      const response: HttpResponse<CustomerBody[]> = await http.request<CustomerBody[]>('GET', path, {
        headers: { authorization: `APIKey ${store.apiKey}` },
      })
      expect(response.status).toBe(200)
      pages.push(response.body)
      const next = linkOf(response, rel)
      if (next === undefined || pages.length > 20) return { pages, last }
      path = next
    }
  }

  function linkOf({ headers }: HttpResponse, rel: string): string | undefined {
    const links = String(headers.link ?? '').split(/,\s*(?=<)/)
    const target = links.find((link) => link.includes(`rel="${rel}"`))?.match(/<([^>]+)>/)?.[1]
    if (target === undefined) return undefined
    const url = new URL(target, http.baseUrl)
    return url.pathname + url.search
  }
})

describe('GET /customers?search=', () => {
  const steamId = fresh.steamId()
  const uuid = fresh.uuid()
  const xuid = fresh.xuid()
  let store: Awaited<ReturnType<typeof createStore>>
  let ann: CustomerBody
  beforeAll(async () => {
    store = await createStore()
    const created = await store.post<CustomerBody>('/customers', {
      name: 'Ann Émilie 100%_sure\\',
      steam_id: steamId,
      minecraft_uuid: uuid,
      xbox_xuid: xuid,
    })
    ann = created.body
    await store.post('/customers', { name: 'Bob' })
  })

  it.each(['Ann', 'ann', 'ANN ÉM', 'milie', '100%', '%_s', 'sure\\'])('matches part of a name: %s', async (search) => {
    const { body } = await store.get<CustomerBody[]>(`/customers?search=${encodeURIComponent(search)}`)
    expect(body.map(({ id }) => id)).toEqual([ann.id])
  })

  it('finds each exact id', async () => {
    for (const search of [ann.id, steamId, uuid, uuid.replaceAll('-', '').toUpperCase(), xuid]) {
      const { body } = await store.get<CustomerBody[]>(`/customers?search=${search}`)
      expect(
        body.map(({ id }) => id),
        search,
      ).toEqual([ann.id])
    }
  })

  it.each(['unknown', 'A%', '_nn', '7656119'])('finds nothing for %s', async (search) => {
    expect((await store.get(`/customers?search=${encodeURIComponent(search)}`)).body).toEqual([])
  })

  it('finds nothing of another store', async () => {
    const other = await createStore()
    expect((await other.get(`/customers?search=${steamId}`)).body).toEqual([])
  })
})

describe('GET /customers?customer_id=', () => {
  it('filters by the given customers of the store and keeps the order of the list', async () => {
    const [store, other] = await Promise.all([createStore(), createStore()])
    const ids: string[] = []
    for (let index = 0; index < 3; index++) {
      const { body } = await store.post<CustomerBody>('/customers', { name: `C${index}` })
      ids.push(body.id)
    }
    const { body: foreign } = await other.post<CustomerBody>('/customers', { name: 'Foreign' })
    const query = [ids[0], ids[2], foreign.id, unknownId].map((id) => `customer_id=${id}`).join('&')
    const { body } = await store.get<CustomerBody[]>(`/customers?${query}`)
    expect(body.map(({ id }) => id)).toEqual([ids[2], ids[0]])
    const combined = await store.get<CustomerBody[]>(`/customers?${query}&search=C0&limit=1`)
    expect(combined.body.map(({ id }) => id)).toEqual([ids[0]])
  })

  it('accepts up to 100 ids', async () => {
    const store = await createStore()
    const ids = Array.from({ length: 100 }, (_, index) => `customer_id=${index + 1}`).join('&')
    expect((await store.get(`/customers?${ids}`)).status).toBe(200)
  })
})
