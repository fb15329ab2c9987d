import { SearchResultType } from '@storekeep/proto/search/v1/search_service'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../src/openapi/document.ts'
import { endpoints } from '../src/routes/index.ts'
import { banMessage } from './fake-bans.ts'
import { customerMessage } from './fake-services.ts'
import { itemsOf, useGateway } from './harness.ts'

const gateway = useGateway()
const path = '/dashboard/search'

describe('GET /dashboard/search', () => {
  it('passes query, hints, type and page to the service', async () => {
    const store = gateway.newStore(['search:read'])
    const hints = 'search_hints[code]=SUMMER&search_hints%5Bip%5D=::1&search_hints[name]='
    const response = await store.send(
      'GET',
      `${path}?query=r%C3%B6bin&${hints}&search_result_type=coupon&limit=2&asc=true`,
    )
    expect(response.status).toBe(200)
    expect(gateway.received()).toMatchObject({
      query: 'röbin',
      hints: { code: 'SUMMER', ip: '::1' },
      type: SearchResultType.COUPON,
      page: { limit: 2, asc: true },
    })
    expect(Object.hasOwn(gateway.received().hints as object, 'name')).toBe(false)
    expect(gateway.services.calls.at(-1)?.call.storeId).toBe(store.id)
  })

  it('accepts the documented example of search_hints as a deepObject', async () => {
    const document = JSON.parse(JSON.stringify(describeApi(endpoints)))
    const { parameters } = document.paths['/v1/stores/{storeId}/dashboard/search'].get
    const { example } = parameters.find(({ name }: { name: string }) => name === 'search_hints')
    const pairs = Object.entries<string>(example).map(([name, value]) => [`search_hints[${name}]`, value])
    const response = await gateway.newStore().send('GET', `${path}?${new URLSearchParams(pairs)}`)
    expect(response.status).toBe(200)
    expect(gateway.received()).toMatchObject({ hints: example })
  })

  it.each(['', '?query=', '?search_result_type=unknown'])('applies no restriction for %j', async (query) => {
    await gateway.newStore().send('GET', `${path}${query}`)
    expect(gateway.received()).toMatchObject({
      query: '',
      type: SearchResultType.UNSPECIFIED,
      page: { limit: 50, asc: false },
    })
  })

  it('returns each record as its resource does, in the field of its type, and a count of every type', async () => {
    const store = gateway.newStore()
    gateway.services.overrides.search = async (_request, call) => ({
      results: [
        { id: '7', score: 100, record: { case: 'customer', value: customerMessage('7', store.id) } },
        { id: '5', score: 30, record: { case: 'ban', value: banMessage('5', call) } },
      ],
      facets: [
        { type: SearchResultType.BAN, count: 1n },
        { type: SearchResultType.CUSTOMER, count: 12n, isLowerBound: true },
      ],
    })
    const { body } = await store.send('GET', `${path}?query=7`)
    const { body: customer } = await store.send('GET', '/customers/7')
    const { body: ban } = await store.send('GET', '/bans/5')
    expect(body).toEqual({
      results: [
        { type: 'customer', id: '7', score: 100, customer },
        { type: 'ban', id: '5', score: 30, ban },
      ],
      facets: {
        customer: 12,
        ban: 1,
        coupon: 0,
        affiliate_link: 0,
        custom_variable: 0,
        checkout_session: 0,
        product: 0,
        order: 0,
        delivery_item: 0,
        subscription: 0,
      },
      facets_at_least: ['customer'],
    })
  })

  it.each<[string, { id: string; score: number }[], string]>([
    [
      'the last record',
      [
        { id: '9', score: 50 },
        { id: '5', score: 70 },
      ],
      'after=5',
    ],
    [
      'the last record, although an exact match leads the page',
      [
        { id: '3', score: 100 },
        { id: '5', score: 70 },
      ],
      'after=5',
    ],
    [
      'the largest id, when the page contains only an exact match',
      [{ id: '3', score: 100 }],
      'after=9223372036854775807',
    ],
  ])('links to the results after %s', async (_what, results, after) => {
    const store = gateway.newStore()
    gateway.services.overrides.search = async (_request, call) => ({
      results: results.map(({ id, score }) => ({ id, score, record: { case: 'ban', value: banMessage(id, call) } })),
      page: { hasNext: true, hasPrevious: false },
    })
    const { headers } = await store.send('GET', `${path}?query=3`)
    expect(headers.link).toMatch(new RegExp(`[?&]${after}>; rel="next"$`))
  })

  it('suggests the nearest hint for an unknown one', async () => {
    const response = await gateway.newStore().send('GET', `${path}?search_hints[mail]=a&search_hints[code]=b`)
    expect(itemsOf(response)).toEqual(['search_hints.mail enum'])
    expect(JSON.stringify(response.body)).toContain('did you mean \\"email\\"?')
  })

  it.each([
    ['search_result_type=session', ['search_result_type enum']],
    [`query=${'x'.repeat(201)}`, ['query length']],
    [`search_hints[code]=${'x'.repeat(321)}`, ['search_hints.code length']],
    ['search_hints=x', ['search_hints format']],
    ['search_hints[customer_id]=0', ['search_hints.customer_id format']],
    ['search_hints[steam_id]=robin', ['search_hints.steam_id format']],
    [
      'search_hints[minecraft_uuid]=7&search_hints[xbox_xuid]=x',
      ['search_hints.minecraft_uuid format', 'search_hints.xbox_xuid format'],
    ],
    ['search_hints[ip]=home', ['search_hints.ip format']],
    ['limit=101', ['limit max']],
    ['after=x', ['after format']],
    ['q=x', ['q enum']],
  ])('rejects %s', async (query, items) => {
    expect(itemsOf(await gateway.newStore().send('GET', `${path}?${query}`))).toEqual(items)
  })

  it('accepts hint values in any notation, and blank ones', async () => {
    const uuid = '069A79F4-44E9-4726-A5BE-FCA90E38AAF5'
    const values = [`minecraft_uuid]=${uuid}`, `minecraft_uuid]=${uuid.replaceAll('-', '')}`]
    for (const hint of [...values, 'ip]=2001:DB8::1', 'ip]=+192.0.2.1+', 'steam_id]=+', 'customer_id]=']) {
      const { status } = await gateway.newStore().send('GET', `${path}?search_hints[${hint}`)
      expect([hint, status]).toEqual([hint, 200])
    }
  })

  it('requires the search scope', async () => {
    expect((await gateway.newStore(['customers:read', 'bans:read']).send('GET', path)).status).toBe(403)
  })
})
