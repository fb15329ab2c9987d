import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { faultOf, randomId, useRelay, violationsOf } from '@storekeep/common/testing'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import { SearchResultType as Type } from '@storekeep/proto/search/v1/search_service'
import { beforeAll, describe, expect, it } from 'vitest'
import { countsOf, idsOf, inStore, live, type Request, settled, useSearch } from './harness.ts'
import { type Fields, publishNew, type TypeName } from './records.ts'

const search = useSearch()
useRelay(search)
beforeAll(() => live(search))

/** A store with these records, their ids, and a search in it. */
async function storeWith(...records: { [Name in TypeName]: [Name, Fields<Name>] }[TypeName][]) {
  const storeId = randomId()
  const ids: string[] = []
  for (const [type, fields] of records) ids.push((await publishNew(search, type, storeId, fields as never)).id)
  await settled(search)
  const find = (request: Request) => search.client.search(request, inStore(storeId))
  return { storeId, ids, find, idsOf: async (request: Request) => idsOf(await find(request)) }
}

const newestFirst = (ids: readonly string[]) => ids.toSorted((a, b) => Number(BigInt(b) - BigInt(a)))

describe('Search', () => {
  it('an empty search returns the newest records of all types with their counts', async () => {
    const store = await storeWith(
      ['customer', { name: 'A' }],
      ['ban', { reason: 'B' }],
      ['coupon', { code: 'C' }],
      ['affiliate_link', { code: 'D' }],
      ['custom_variable', { identifier: 'E', name: 'e' }],
      ['checkout_session', { customerId: '1' }],
      ['product', { terms: { name: 'F' } }],
      ['order', { number: 7n }],
      ['delivery_item', { customerId: '1' }],
      ['subscription', { customerId: '1' }],
      ['customer', { name: 'G' }],
    )
    const response = await store.find({})
    expect(idsOf(response)).toEqual(newestFirst(store.ids))
    expect(countsOf(response)).toEqual({
      [Type.CUSTOMER]: 2,
      [Type.BAN]: 1,
      [Type.COUPON]: 1,
      [Type.AFFILIATE_LINK]: 1,
      [Type.CUSTOM_VARIABLE]: 1,
      [Type.CHECKOUT_SESSION]: 1,
      [Type.PRODUCT]: 1,
      [Type.ORDER]: 1,
      [Type.DELIVERY_ITEM]: 1,
      [Type.SUBSCRIPTION]: 1,
    })
    expect(response.facets).toHaveLength(10)
    expect(response.results.every(({ score }) => score === 0)).toBe(true)
  })

  it('returns the record as its owner published it', async () => {
    const storeId = randomId()
    const customer = await publishNew(search, 'customer', storeId, { name: 'Robin', metadata: { rank: 'vip' } })
    const session = await publishNew(search, 'checkout_session', storeId, { customerId: customer.id, currency: 'eur' })
    await settled(search)
    const { results } = await search.client.search({ query: customer.id }, inStore(storeId))
    expect(results.map(({ record }) => record)).toEqual([
      { case: 'customer', value: customer },
      { case: 'checkoutSession', value: session },
    ])
  })

  it.each([
    ['robin', 70],
    ['ROBIN', 70],
    ['ärger', 70],
    ['arger', 70],
    ['Robin Ärger', 90],
    ['arger robin', 70],
    ['rob', 50],
    ['a r', 50],
    ['obi', 30],
    ['rboin', 10],
    ['rubin arger', 10],
  ])('finds a customer named "Robin Ärger" by %j with score %d', async (query, score) => {
    const { find, ids } = await storeWith(['customer', { name: 'Robin Ärger' }])
    const response = await find({ query })
    expect(idsOf(response)).toEqual(ids)
    expect(response.results[0]?.score).toBe(score)
    expect(countsOf(response)).toEqual({ [Type.CUSTOMER]: 1 })
  })

  it.each(['hood', 'robin hood', 'rubn', 'obinr', 'ob', '-'])(
    'does not find a customer named "Robin Ärger" by %j',
    async (query) => {
      const { find } = await storeWith(['customer', { name: 'Robin Ärger' }])
      const response = await find({ query })
      expect([idsOf(response), countsOf(response)]).toEqual([[], {}])
    },
  )

  const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
  it.each<[TypeName, string, object, string[]]>([
    [
      'customer',
      'names and ids',
      {
        steamId: '76561197960265729',
        minecraftUuid: uuid,
        xboxXuid: '2535428504324680',
        profile: { id: '1', platform: 'steam', name: 'Shown' },
        minecraft: { id: uuid, name: 'Crafted' },
      },
      ['shown', 'crafted', '76561197960265729', '2535428504324680', uuid, uuid.toUpperCase(), uuid.replaceAll('-', '')],
    ],
    [
      'ban',
      'reason and identities',
      {
        reason: 'Chargeback of order 1042',
        identities: [
          { banType: BanType.EMAIL, banTypeValue: 'bob@example.org' },
          { banType: BanType.IP, banTypeValue: '192.0.2.17' },
        ],
      },
      ['chargeback', '1042', 'bob@example.org', 'example', '192.0.2.17'],
    ],
    ['coupon', 'code and note', { code: 'SUMMER24', note: 'for the créateurs' }, ['summer24', 'summ', 'createurs']],
    ['affiliate_link', 'code', { code: 'robin-10' }, ['robin', 'robin-10']],
    ['custom_variable', 'identifier and name', { identifier: 'pet_name', name: 'Your wolf' }, ['pet_name', 'wolf']],
    [
      'checkout_session',
      'customer and metadata',
      { customerId: '411486491630370816', metadata: { order: 'Ab-77' } },
      ['411486491630370816', 'ab-77'],
    ],
    [
      'order',
      'number, customer, billing email and reference of the provider',
      {
        number: 1042n,
        customerId: '411486491630370816',
        billingDetails: { billingEmail: 'bob@example.org' },
        payment: { id: '7', providerReference: 'pi_77ab' },
      },
      ['1042', '411486491630370816', 'bob@example.org', 'pi_77ab'],
    ],
    [
      'delivery_item',
      'product, order, customer and buyer',
      {
        customerId: '411486491630370816',
        orderCustomerId: '411486491630370817',
        orderId: '411486491630370860',
        product: { id: '411486491630370832', name: 'VIP rank' },
      },
      ['411486491630370832', '411486491630370860', '411486491630370816', '411486491630370817'],
    ],
    [
      'subscription',
      'customer, checkout session and reference at the payment provider',
      { customerId: '411486491630370816', checkoutId: '411486491630370840', providerReference: 'sub_88cd' },
      ['411486491630370816', '411486491630370840', 'sub_88cd'],
    ],
    ['product', 'name and slug', { terms: { name: 'VIP rank', slug: 'vip-rank-1' } }, ['vip', 'rank', 'vip-rank-1']],
  ])('finds a %s by %s', async (type, _by, fields, queries) => {
    const { idsOf: find, ids } = await storeWith([type, fields] as never)
    for (const query of [...queries, ids[0] ?? '']) expect(await find({ query }), query).toEqual(ids)
  })

  it('returns the record whose id equals the query first on the first page, and on no other', async () => {
    const { idsOf: find, ids, storeId } = await storeWith(['customer', { name: 'Robin' }])
    const [customerId = ''] = ids
    const sessions: string[] = []
    for (let n = 0; n < 5; n += 1) {
      sessions.push((await publishNew(search, 'checkout_session', storeId, { customerId })).id)
    }
    await settled(search)
    const ordered = newestFirst(sessions)
    expect(await find({ query: customerId })).toEqual([customerId, ...ordered])
    expect(await find({ query: customerId, page: { limit: 50, asc: true } })).toEqual([
      customerId,
      ...ordered.toReversed(),
    ])
    expect(await find({ query: customerId, page: { limit: 3 } })).toEqual([customerId, ...ordered.slice(0, 2)])
    const after = (id = '') => find({ query: customerId, page: { limit: 3, after: id } })
    expect(await after(ordered[1])).toEqual(ordered.slice(2))
    expect(await after('9223372036854775807')).toEqual(ordered.slice(0, 3))
    expect(await find({ query: customerId, page: { limit: 2, before: ordered[4] ?? '' } })).toEqual(ordered.slice(2, 4))
    expect(await find({ query: customerId, type: Type.CHECKOUT_SESSION })).toEqual(ordered)
  })

  it('a search with a type returns only results of that type, and counts all types', async () => {
    const { find, ids } = await storeWith(['customer', { name: 'Robin' }], ['coupon', { code: 'ROBIN' }])
    for (const query of ['robin', '']) {
      const response = await find({ query, type: Type.COUPON })
      expect(idsOf(response)).toEqual([ids[1]])
      expect(countsOf(response)).toEqual({ [Type.CUSTOMER]: 1, [Type.COUPON]: 1 })
    }
  })

  it('returns an expired ban as disabled', async () => {
    const expiresAt = timestampFromDate(new Date(search.clock.now().getTime() + 60_000))
    const { find } = await storeWith(['ban', { reason: 'x', enabled: true, expiresAt }])
    const enabled = async () =>
      (await find({})).results.map(({ record }) => (record.value as { enabled: boolean }).enabled)
    expect(await enabled()).toEqual([true])
    search.clock.advance(61_000)
    expect(await enabled()).toEqual([false])
  })

  it('neither finds nor counts records of another store', async () => {
    const { ids } = await storeWith(['customer', { name: 'Robin' }])
    for (const request of [{}, { query: 'robin' }, { query: ids[0] ?? '' }, { hints: { customerId: ids[0] ?? '' } }]) {
      const response = await search.client.search(request, inStore())
      expect([idsOf(response), countsOf(response)]).toEqual([[], {}])
    }
  })

  it('rejects an invalid query and an invalid page', async () => {
    const violations = (request: Request) => violationsOf(search.client.search(request, inStore()))
    expect(await violations({ query: 'x'.repeat(201) })).toEqual(['query length'])
    expect(await violations({ query: Array.from({ length: 21 }, (_, n) => n).join(' ') })).toEqual(['query max'])
    expect(await violations({ page: { limit: 101, after: 'x' } })).toEqual(['limit max', 'after format'])
    expect(await faultOf(search.client.search({}, inStore('x')))).toMatchObject({ code: 'not-found' })
  })
})

describe('hints', () => {
  const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
  const identity = (banType: BanType, banTypeValue: string) => ({ banType, banTypeValue })

  it('find the records that have the value', async () => {
    const { idsOf: find, ids } = await storeWith(
      ['customer', { name: 'Röbin', steamId: '76561197960265729', minecraftUuid: uuid, xboxXuid: '77' }],
      [
        'ban',
        {
          reason: 'x',
          identities: [
            identity(BanType.STEAM, '76561197960265729'),
            identity(BanType.MINECRAFT_UUID, uuid),
            identity(BanType.XBOX_XUID, '77'),
            identity(BanType.CUSTOMER_NAME, 'ROBIN'),
            identity(BanType.EMAIL, 'bob@x.org'),
            identity(BanType.IP, '2001:db8::1'),
            identity(BanType.CUSTOMER, '411486491630370816'),
          ],
        },
      ],
      ['coupon', { code: 'Robin', usableByCustomerId: '411486491630370816' }],
      ['affiliate_link', { code: 'robin' }],
      ['custom_variable', { identifier: 'x', name: 'robin' }],
      ['checkout_session', { customerId: '411486491630370816', customerDetails: { billingEmail: 'Bob@X.org' } }],
      ['product', { terms: { name: 'Robin', slug: 'x' } }],
    )
    const [customer, ban, coupon, link, variable, session, product] = ids
    const sorted = (...expected: (string | undefined)[]) => newestFirst(expected.map((id) => id ?? ''))
    expect(await find({ hints: { customerId: '411486491630370816' } })).toEqual(sorted(ban, coupon, session))
    expect(await find({ hints: { customerId: customer ?? '' } })).toEqual([customer])
    expect(await find({ hints: { steamId: '76561197960265729' } })).toEqual(sorted(customer, ban))
    expect(await find({ hints: { minecraftUuid: uuid.replaceAll('-', '') } })).toEqual(sorted(customer, ban))
    expect(await find({ hints: { xboxXuid: '77' } })).toEqual(sorted(customer, ban))
    expect(await find({ hints: { name: 'robin' } })).toEqual(sorted(customer, ban, variable, product))
    expect(await find({ hints: { code: 'ROBIN' } })).toEqual(sorted(coupon, link))
    expect(await find({ hints: { email: 'BOB@x.org' } })).toEqual(sorted(ban, session))
    expect(await find({ hints: { ip: '2001:0DB8:0::1' } })).toEqual([ban])
  })

  it('must all match completely, together with the query', async () => {
    const { find, ids } = await storeWith(
      ['customer', { name: 'Robin', steamId: '76561197960265729' }],
      ['customer', { name: 'Robin', steamId: '76561197960265730' }],
    )
    const asked = async (request: Request) => {
      const response = await find(request)
      return [idsOf(response), countsOf(response)]
    }
    const [first = '', second = ''] = ids
    const one = { [Type.CUSTOMER]: 1 }
    expect(await asked({ hints: { name: 'Robin', steamId: '76561197960265730' } })).toEqual([[second], one])
    expect(await asked({ query: 'rob', hints: { steamId: '76561197960265729' } })).toEqual([[first], one])
    expect(await asked({ query: second, hints: { steamId: '76561197960265729' } })).toEqual([[], {}])
    expect(await asked({ hints: { name: 'Rob' } })).toEqual([[], {}])
    expect(await asked({ hints: { ip: 'home' } })).toEqual([[], {}])
    expect((await asked({ hints: { name: ' ' } }))[0]).toHaveLength(2)
  })
})
