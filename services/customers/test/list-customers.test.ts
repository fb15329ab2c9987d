import type { MessageInitShape } from '@bufbuild/protobuf'
import { randomId, readPages, retryUnavailable, violationsOf, withKey } from '@storekeep/common/testing'
import type { ListCustomersRequestSchema } from '@storekeep/proto/customers/v1/customers_service'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestCustomer, type Input, inStore, useCustomers } from './harness.ts'

const customers = useCustomers()
const options = inStore()
const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
const inputs: Input[] = [
  { name: 'Ada Lovelace' },
  { name: 'ADAM', steamId: '76561197960265740' },
  { name: 'Grace', minecraftUuid: uuid },
  { name: '100%_sure\\', xboxXuid: '4242' },
  { name: 'Ärger' },
  { xboxXuid: '76561197960265741' },
]
let ids: string[]

beforeAll(async () => {
  ids = []
  for (const customer of inputs) {
    ids.push((await customers.client.createCustomer({ customer }, options)).customer?.id ?? '')
  }
  await customers.client.createCustomer({ customer: { name: 'Ada of elsewhere' } }, inStore())
})

type Request = MessageInitShape<typeof ListCustomersRequestSchema>

/** Returns the indexes of the listed customers in `inputs`. */
async function list(request: Request): Promise<number[]> {
  const response = await customers.client.listCustomers(request, options)
  return response.customers.map(({ id }) => ids.indexOf(id))
}

describe('ListCustomers', () => {
  it('returns only the customers of the store, newest first', async () => {
    expect(await list({})).toEqual([5, 4, 3, 2, 1, 0])
    expect(await list({ page: { limit: 50, asc: true } })).toEqual([0, 1, 2, 3, 4, 5])
    expect((await customers.client.listCustomers({}, inStore())).customers).toEqual([])
  })

  it('splits a page of customers of maximum size', async () => {
    const other = inStore()
    const value = '🦀'.repeat(500)
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${'🦀'.repeat(62)}${n}`, value]))
    const created: string[] = []
    while (created.length < 80) created.push((await createTestCustomer(customers, other, { name: 'Ada', metadata })).id)
    const pages = await readPages(async (page) => {
      const response = await customers.client.listCustomers({ page }, other)
      return { items: response.customers, page: response.page }
    })
    expect(pages.flat()).toEqual(created)
    expect(pages.length).toBeGreaterThan(1)
  })

  it('pages in both directions and reports neighboring pages', async () => {
    const [, , third, , fifth] = ids
    const page = async (request: Request['page']) => {
      const response = await customers.client.listCustomers({ page: request }, options)
      return [response.customers.map(({ id }) => ids.indexOf(id)), response.page?.hasPrevious, response.page?.hasNext]
    }
    expect(await page({ limit: 2 })).toEqual([[5, 4], false, true])
    expect(await page({ limit: 2, after: fifth })).toEqual([[3, 2], true, true])
    expect(await page({ limit: 2, after: third })).toEqual([[1, 0], true, false])
    expect(await page({ limit: 2, before: third })).toEqual([[4, 3], true, true])
    expect(await page({ limit: 2, before: fifth })).toEqual([[5], false, true])
    expect(await page({ limit: 2, asc: true, after: third })).toEqual([[3, 4], true, true])
    expect(await page({ limit: 2, asc: true, before: third })).toEqual([[0, 1], false, true])
    expect(await page({ limit: 9, after: fifth, before: ids[0] })).toEqual([[3, 2, 1], false, false])
    expect(await page({ limit: 2, after: fifth, before: ids[0] })).toEqual([[3, 2], false, true])
    expect(await page({ limit: 9, after: ids[0], before: fifth })).toEqual([[], false, false])
    // Neither id has to exist.
    expect(await page({ limit: 9, asc: true, after: '1' })).toEqual([[0, 1, 2, 3, 4, 5], true, false])
  })

  it.each<[string, number[]]>([
    ['ada', [1, 0]],
    ['A L', [0]],
    ['%', [3]],
    ['_', [3]],
    ['\\', [3]],
    ['ä', [4]],
    ['A\u0308RGER', [4]],
    ['unknown', []],
    ['76561197960265740', [1]],
    ['7656119796026574', []],
    [uuid, [2]],
    [uuid.replaceAll('-', '').toUpperCase(), [2]],
    ['4242', [3]],
    ['76561197960265741', [5]],
    ['  ', [5, 4, 3, 2, 1, 0]],
  ])('searches for %s', async (search, expected) => {
    expect(await list({ search })).toEqual(expected)
  })

  it('searches by id and pages the results', async () => {
    expect(await list({ search: ids[2] ?? '' })).toEqual([2])
    expect(await list({ search: 'ada', page: { limit: 1 } })).toEqual([1])
    expect(await list({ search: 'ada', page: { limit: 1, asc: true } })).toEqual([0])
    expect(await list({ search: 'ada', page: { limit: 1, after: ids[1] } })).toEqual([0])
    expect(await list({ search: 'ada', page: { limit: 1, before: ids[0] } })).toEqual([1])
    const response = await customers.client.listCustomers({ search: 'ada', page: { limit: 1 } }, options)
    expect(response.page).toMatchObject({ hasNext: true, hasPrevious: false })
  })

  it('merges matches by id and by name in list order', async () => {
    const store = inStore()
    const byId = await createTestCustomer(customers, store, { xboxXuid: '990011' })
    const byName = await createTestCustomer(customers, store, { name: '990011' })
    const search = async (page: Request['page']) => {
      const response = await customers.client.listCustomers({ search: '990011', ...(page && { page }) }, store)
      return response.customers.map(({ id }) => id)
    }
    expect(await search({ limit: 9 })).toEqual([byName.id, byId.id])
    expect(await search({ limit: 9, asc: true })).toEqual([byId.id, byName.id])
  })

  it('searches profile names', async () => {
    const storeId = customers.stores.add()
    await customers.client.signIn({ platform: 'minecraft', id: 'Jeb_' }, inStore(storeId))
    const found = await customers.client.listCustomers({ search: 'EB_' }, inStore(storeId))
    expect(found.customers.map(({ minecraft }) => minecraft?.name)).toEqual(['Jeb_'])
  })

  it('finds a rare name behind thousands of others and a frequent one in list order', async () => {
    const big = inStore()
    const names = Array.from({ length: 5200 }, (_, n) => (n % 1000 === 7 ? `rare ${n} 小明` : `common ${n}`))
    for (let from = 0; from < names.length; from += 200) {
      const batch = names.slice(from, from + 200).map((name): Input => ({ name }))
      const keyed = withKey(big)
      await retryUnavailable(() => customers.client.bulkCreateCustomers({ customers: batch }, keyed))
    }
    const search = async (text: string, page?: Request['page']) => {
      const response = await customers.client.listCustomers({ search: text, ...(page && { page }) }, big)
      return response.customers.map(({ name }) => name)
    }
    const rare = [5007, 4007, 3007, 2007, 1007, 7].map((n) => `rare ${n} 小明`)
    expect(await search('RARE')).toEqual(rare)
    expect(await search('rare', { limit: 2, asc: true })).toEqual(rare.slice(-2).reverse())
    expect(await search('common', { limit: 3 })).toEqual(['common 5199', 'common 5198', 'common 5197'])
    expect(await search('re 7 ')).toEqual(rare.slice(-1))
    expect(await search('小明', { limit: 3 })).toEqual(rare.slice(0, 3))
    for (const text of ['明', ' 小明', 'R', '7 ']) expect(await search(text, { limit: 6 })).toContain('rare 5007 小明')
    for (const text of ['zx', 'ü', '明小', '\u001f']) expect(await search(text)).toEqual([])
  })

  it('filters by the given ids', async () => {
    expect(await list({ customerIds: [ids[1] ?? '', ids[4] ?? '', randomId()] })).toEqual([4, 1])
    expect(await list({ customerIds: [ids[1] ?? '', ids[4] ?? ''], search: 'ada' })).toEqual([1])
    expect(await list({ customerIds: [ids[1] ?? '', ids[4] ?? ''], page: { limit: 1 } })).toEqual([4])
  })

  it('rejects invalid pages, ids and searches', async () => {
    const wrong = (request: Request) => violationsOf(list(request))
    expect(await wrong({ page: { limit: 0 } })).toEqual(['limit min'])
    expect(await wrong({ page: { limit: 101, after: 'x', before: '0' } })).toEqual([
      'limit max',
      'after format',
      'before format',
    ])
    expect(await wrong({ customerIds: ['1', 'x'] })).toEqual(['customer_id.1 format'])
    expect(await wrong({ customerIds: Array.from({ length: 101 }, () => '1') })).toEqual(['customer_id max'])
    expect(await wrong({ search: 'x'.repeat(257) })).toEqual(['search length'])
    expect(await wrong({ search: '\0x' })).toEqual(['search pattern'])
  })
})
