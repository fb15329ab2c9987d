import { type BanBody, expectFault, fresh, useSharedSystem } from '@storekeep/test/kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { listByLinks, listIndexes, pagesOfSix } from './lists.ts'

const { createStore } = await useSharedSystem()

const email = () => ({ ban_type: 'email', ban_type_value: fresh.email() })

describe('GET /bans', () => {
  const steamId = fresh.steamId()
  const uuid = fresh.uuid()
  const inputs = [
    { reason: 'Chargeback', identities: [{ ban_type: 'steam', ban_type_value: steamId }] },
    { reason: '100%_sure\\', identities: [{ ban_type: 'xbox_xuid', ban_type_value: steamId }, email()] },
    { reason: 'ÄRGER', identities: [{ ban_type: 'customer_name', ban_type_value: 'Bob@X.org' }] },
    {
      reason: '',
      identities: [
        { ban_type: 'ip', ban_type_value: '2001:db8::1' },
        { ban_type: 'email', ban_type_value: 'bob@x.org' },
      ],
    },
    { reason: 'charged twice', identities: [{ ban_type: 'minecraft_uuid', ban_type_value: uuid }] },
    { reason: 'address', identities: [{ ban_type: 'ip', ban_type_value: '192.0.2.1' }] },
  ]
  const six: BanBody[] = []
  let store: Awaited<ReturnType<typeof createStore>>
  beforeAll(async () => {
    store = await createStore()
    for (const input of inputs) six.push((await store.post<BanBody>('/bans', input)).body)
    await (await createStore()).post('/bans', inputs[0])
  })

  const listed = (query: string) => listIndexes(store, '/bans', six, query)

  it('returns the bans of the store, newest first, or oldest first with asc=true', async () => {
    expect((await store.get('/bans')).body).toEqual(six.toReversed())
    expect((await store.get('/bans?asc=true')).body).toEqual(six)
    expect((await (await createStore()).get('/bans')).body).toEqual([])
  })

  it.each([
    ...pagesOfSix,
    ['a filter with pages', 'reason=charge&limit=1&after=#4', [0]],
    ['a filter with pages, backwards', 'ban_type=ip&limit=1&before=#3', [5]],
  ])('returns %s', async (_, query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  it.each([
    ['ban_type=ip', [5, 3]],
    ['ban_type=customer', []],
    ['ban_type=unknown', []],
    [`ban_type=steam&ban_type_value=${steamId}`, [0]],
    [`ban_type_value=${steamId}`, [1, 0]],
    [`ban_type=customer&ban_type_value=${steamId}`, []],
    ['ban_type=ip&ban_type_value=2001:0DB8:0::1', [3]],
    ['ban_type=ip&ban_type_value=::ffff:192.0.2.1', [5]],
    ['ban_type_value=BOB@X.ORG', [3, 2]],
    ['ban_type=customer_name&ban_type_value=bob@x.ORG', [2]],
    [`ban_type_value=${uuid.replaceAll('-', '').toUpperCase()}`, [4]],
    ['ban_type_value=unknown', []],
    ['reason=CHARGE', [4, 0]],
    ['reason=%25_s', [1]],
    ['reason=%5C', [1]],
    ['reason=%C3%A4rg', [2]],
    ['reason=', [5, 4, 3, 2, 1, 0]],
    ['reason=charge&ban_type=steam', [0]],
    ['reason=charge&ban_type=email', []],
  ])('filters by %s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  it('requires one identity to match both type and value', async () => {
    expect(await listed('ban_type=email&ban_type_value=2001:db8::1@x')).toEqual([])
    expectFault(await store.get('/bans?ban_type=email&ban_type_value=2001:db8::1'), 'validation-failed')
  })

  it('can be paged to the end by its Link headers, which keep the filter', async () => {
    expect(await listByLinks(store, '/bans', six, 'ban_type=ip&limit=1')).toEqual([5, 3])
    expect((await store.get('/bans')).headers.link).toBeUndefined()
  })

  it('rejects a value that its type does not allow', async () => {
    expectFault(await store.get('/bans?ban_type=ip&ban_type_value=unknown'), 'validation-failed', ['ban_type_value'])
  })
})
