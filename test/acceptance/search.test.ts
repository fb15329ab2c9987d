import {
  type BanBody,
  type CustomerBody,
  createExamples,
  expectFault,
  fresh,
  type HttpResponse,
  openDelivery,
  operationsOf,
  type SearchBody,
  type TestStore,
  useSharedSystem,
  waitFor,
} from '@storekeep/test/kit'
import { beforeAll, describe, expect, it } from 'vitest'

const { createStore, contract, shopper } = await useSharedSystem()

const path = '/dashboard/search'

/** Searches until there are `count` hits, since the index follows changes with a delay. */
async function searchUntil(store: TestStore, query: string, count: number): Promise<SearchBody> {
  return await waitFor(`${count} hits of ${query}`, async () => {
    const { status, body } = await store.get<SearchBody>(`${path}?${query}`)
    return status === 200 && total(body) === count && body
  })
}

const total = ({ facets }: SearchBody) => Object.values(facets).reduce((sum, count) => sum + count, 0)
const idsOf = ({ results }: SearchBody) => results.map(({ id }) => id)
/** Sorts by id, since ids of different services may be out of order by a quarter of a second. */
function newestFirst<T extends { id: string }>(records: T[]): T[] {
  return records.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
}
const none = {
  customer: 0,
  ban: 0,
  coupon: 0,
  affiliate_link: 0,
  custom_variable: 0,
  checkout_session: 0,
  product: 0,
  order: 0,
  delivery_item: 0,
  subscription: 0,
}

describe('GET /dashboard/search', () => {
  const steamId = fresh.steamId()
  const address = fresh.ip()
  const customers: CustomerBody[] = []
  const bans: BanBody[] = []
  let store: TestStore
  beforeAll(async () => {
    store = await createStore()
    for (const input of [{ name: 'Röbin Hood', steam_id: steamId }, { name: 'Marian' }, { name: 'robin2' }]) {
      customers.push((await store.post<CustomerBody>('/customers', input)).body)
    }
    for (const input of [
      { reason: 'Robin said so', identities: [{ ban_type: 'ip', ban_type_value: address }] },
      { reason: 'Fraud', identities: [{ ban_type: 'steam', ban_type_value: steamId }] },
    ]) {
      bans.push((await store.post<BanBody>('/bans', input)).body)
    }
    await searchUntil(store, '', 5)
  })
  const [hood, , robin2] = [0, 1, 2].map((index) => () => customers[index]?.id ?? '') as [
    () => string,
    () => string,
    () => string,
  ]
  const [said, fraud] = [0, 1].map((index) => () => bans[index]?.id ?? '') as [() => string, () => string]

  it('returns the newest records without a query, each as its own endpoint does', async () => {
    const { body } = await store.get<SearchBody>(path)
    expect(body).toEqual({
      results: newestFirst([
        ...bans.map((ban) => ({ type: 'ban', id: ban.id, score: 0, ban })),
        ...customers.map((customer) => ({ type: 'customer', id: customer.id, score: 0, customer })),
      ]),
      facets: { ...none, customer: 3, ban: 2 },
      facets_at_least: [],
    })
    expect((await store.get<SearchBody>(`${path}?asc=true`)).body.results).toEqual(body.results.toReversed())
  })

  it.each<[string, () => string[], number[]]>([
    ['query=robin', () => [said(), robin2(), hood()], [70, 50, 70]],
    ['query=R%C3%96BIN', () => [said(), robin2(), hood()], [70, 50, 70]],
    ['query=obin', () => [said(), robin2(), hood()], [30, 30, 30]],
    ['query=hood+robin', () => [hood()], [70]],
    ['query=mraian', () => [customers[1]?.id ?? ''], [10]],
    [`query=${steamId}`, () => [fraud(), hood()], [90, 90]],
    [`query=${encodeURIComponent(address)}`, () => [said()], [90]],
    [`search_hints[ip]=${encodeURIComponent(address)}`, () => [said()], [0]],
    [`search_hints[steam_id]=${steamId}`, () => [fraud(), hood()], [0, 0]],
    ['search_hints[name]=robin+hood', () => [hood()], [0]],
    [`query=rob&search_hints[steam_id]=${steamId}`, () => [hood()], [50]],
    ['query=robin&search_result_type=ban', () => [said()], [70]],
    ['query=robin&search_result_type=unknown', () => [said(), robin2(), hood()], [70, 50, 70]],
    ['query=zzz', () => [], []],
  ])('finds by %s', async (query, ids, scores) => {
    const { body } = await store.get<SearchBody>(`${path}?${query}`)
    const hits = ids().map((id, index) => ({ id, score: scores[index] }))
    expect(body.results.map(({ id, score }) => ({ id, score }))).toEqual(newestFirst(hits))
  })

  it('counts all hits of every type regardless of page and type', async () => {
    const { body } = await store.get<SearchBody>(`${path}?query=robin&search_result_type=ban&limit=1&after=1`)
    expect(body).toEqual({ results: [], facets: { ...none, customer: 2, ban: 1 }, facets_at_least: [] })
  })

  it('can be paged to all hits by its Link headers', async () => {
    const seen: string[] = []
    let next: string | undefined = `${path}?query=robin&limit=1`
    while (next !== undefined) {
      const { body, headers }: HttpResponse<SearchBody> = await store.get<SearchBody>(next)
      seen.push(...idsOf(body))
      next = /<[^>]*?(\/dashboard\/search\?[^>]*)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
    }
    expect(seen).toEqual(newestFirst([said(), robin2(), hood()].map((id) => ({ id }))).map(({ id }) => id))
  })

  it('returns the record with the requested id first, then records that refer to it', async () => {
    const { body: ban } = await store.post<BanBody>('/bans', {
      reason: `see ${hood()}`,
      identities: [{ ban_type: 'xbox_xuid', ban_type_value: fresh.xuid() }],
    })
    const body = await searchUntil(store, `query=${hood()}`, 2)
    expect(body.results.map(({ id, score }) => [id, score])).toEqual([
      [hood(), 100],
      [ban.id, 70],
    ])
    const second = await store.get<SearchBody>(`${path}?query=${hood()}&limit=1&after=9223372036854775807`)
    expect(idsOf(second.body)).toEqual([ban.id])
    expect((await store.delete(`/bans/${ban.id}`)).status).toBe(204)
    await searchUntil(store, `query=${hood()}`, 1)
  })

  it('reflects changes: finds the new name and not the old one', async () => {
    const own = await createStore()
    const { body: customer } = await own.post<CustomerBody>('/customers', { name: 'Guy of Gisborne' })
    await searchUntil(own, 'query=gisborne', 1)
    const { body: renamed } = await own.patch<CustomerBody>(`/customers/${customer.id}`, { name: 'Sir Guy' })
    const { results } = await searchUntil(own, 'query=sir', 1)
    expect(results).toEqual([{ type: 'customer', id: customer.id, score: 70, customer: renamed }])
    expect(total((await own.get<SearchBody>(`${path}?query=gisborne`)).body)).toBe(0)
  })

  it.each([
    ['coupon', 'couponId', '/coupons'],
    ['affiliate_link', 'affiliateLinkId', '/affiliate-links'],
    ['custom_variable', 'customVariableId', '/custom-variables'],
    ['checkout_session', 'checkoutId', '/checkouts'],
    ['product', 'productId', '/products'],
    ['order', 'orderId', '/orders'],
    ['subscription', 'subscriptionId', '/subscriptions'],
  ])('finds records of type %s and returns each as its endpoint does', async (type, parameter, collection) => {
    const own = await createStore()
    const id = await createExamples(operationsOf(contract.description), shopper).newChild(own, parameter)
    const { body } = await own.get<object>(`${collection}/${id}`)
    // The stock is counted when a product is read.
    const record = type === 'product' ? { ...body, stock_available: null } : body
    const { results } = await waitFor('the record to be found', async () => {
      const { body: found } = await own.get<SearchBody>(`${path}?query=${id}&search_result_type=${type}`)
      return found.results.length === 1 && found
    })
    expect(results).toEqual([{ type, id, score: 100, [type]: record }])
  })

  it('finds delivery items by product, order and customer, without what only their endpoint adds', async () => {
    const own = await createStore()
    const { shop, buy, settledItems } = await openDelivery(own, shopper)
    const [product, customer] = [await shop.product(), await shop.customer()]
    const order = await buy({ customer_id: customer.id, lines: [{ product_id: product.id, quantity: 1 }] })
    const [item] = await settledItems(order.id, ([first]) => first?.state === 'active')
    const indexed = { ...item, customer: null, order_customer: null, command_attempts: [] }
    for (const query of [product.id, order.id, customer.id]) {
      const { results } = await waitFor(`the item to be found by ${query}`, async () => {
        const { body } = await own.get<SearchBody>(`${path}?query=${query}&search_result_type=delivery_item`)
        return JSON.stringify(body.results).includes('"active"') && body
      })
      expect(results).toEqual([expect.objectContaining({ id: item?.id, delivery_item: indexed })])
    }
  })

  it('finds nothing of another store', async () => {
    const other = await createStore()
    for (const query of ['', 'query=robin', `query=${hood()}`, `search_hints[steam_id]=${steamId}`]) {
      expect((await other.get(`${path}?${query}`)).body).toEqual({ results: [], facets: none, facets_at_least: [] })
    }
  })

  it.each([
    [`query=${Array.from({ length: 21 }, (_, n) => n).join('+')}`, 'query', 'max'],
    ['search_hints[emial]=x', 'search_hints.emial', 'enum'],
    ['search_hints[a][b]=x', 'search_hints[a][b]', 'format'],
  ])('rejects %s', async (query, field, validation) => {
    const { body, status } = await store.get<{ errors: unknown[] }>(`${path}?${query}`)
    expect(status).toBe(400)
    expect(body.errors).toEqual([expect.objectContaining({ path: field, validation })])
  })

  it('requires the search scope', async () => {
    expectFault(await (await createStore({ scopes: ['customers:read'] })).get(path), 'forbidden')
    expect((await (await createStore({ scopes: ['search:read'] })).get(path)).status).toBe(200)
  })
})
