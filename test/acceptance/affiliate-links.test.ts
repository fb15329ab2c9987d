import { type AffiliateLinkBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()

const path = '/affiliate-links'
const largest = Number.MAX_SAFE_INTEGER

/** The required fields of a link, with a unique code. */
function requiredFields(change: object = {}) {
  return {
    wallet_id: 'wallet-7',
    enabled: true,
    code: fresh.name(),
    referer_type: 'last_referer',
    tracking_length_days: 30,
    apply_for_subscriptions: false,
    discount_type: 'percentage',
    discount_amount: 50,
    commission_type: 'percentage',
    commission_amount: 125,
    ...change,
  }
}

const step = (billing_cycle_sequence: unknown, commission_amount: unknown = 0) => ({
  billing_cycle_sequence,
  commission_amount,
})

async function newLink(change: object = {}, own = store): Promise<AffiliateLinkBody> {
  const { body, status, text } = await own.post<AffiliateLinkBody>(path, requiredFields(change))
  expect(status, text).toBe(200)
  return body
}

/** Invalid changes, both to a new link and to an existing one, with the expected violation. */
const invalidChanges: [string, Record<string, unknown>, string][] = [
  ['a discount of 100.1 %', { discount_amount: 1001 }, 'discount_amount max'],
  ['a discount amount without a discount', { discount_type: 'none' }, 'discount_amount max'],
  ['a commission of 100.1 %', { commission_amount: 1001 }, 'commission_amount max'],
  ['a commission amount without a commission', { commission_type: 'none' }, 'commission_amount max'],
  [
    'a duplicate billing cycle',
    { commission_amount_steps: [step(3), step(3)] },
    'commission_amount_steps.1.billing_cycle_sequence unique',
  ],
  [
    'a step of 100.1 %',
    { commission_amount_steps: [step(1, 1000), step(2, 1001)] },
    'commission_amount_steps.1.commission_amount max',
  ],
]

describe('POST /affiliate-links', () => {
  it('creates a link and returns every field', async () => {
    const input = requiredFields({
      wallet_id: 'Wallet 🦊',
      code: `Az0_-${fresh.name()}`,
      discount_type: 'fixed',
      discount_amount: largest,
      commission_amount: 1000,
      commission_amount_steps: [step(2_147_483_647, 1000), step(1, 0)],
      last_commission_amount_step_repeats: true,
    })
    const { status, body } = await store.post<AffiliateLinkBody>(path, input)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...input,
      id: expect.stringMatching(/^[1-9]\d{17,18}$/),
      store_id: store.id,
      created_by: { type: 'api_key', id: store.apiKeyId },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_by: null,
      updated_at: null,
    })
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000)
    expect((await store.get(`${path}/${body.id}`)).body).toEqual(body)
  })

  it('accepts a link without steps', async () => {
    expect(await newLink()).toMatchObject({ commission_amount_steps: [], last_commission_amount_step_repeats: false })
  })

  it.each([
    ['the least', { wallet_id: 'x', code: '_', tracking_length_days: 0, discount_amount: 0, commission_amount: 0 }],
    [
      'the maximum of every field',
      { wallet_id: 'x'.repeat(255), code: 'x'.repeat(64), tracking_length_days: 3650, discount_amount: 1000 },
    ],
    [
      'no discount and no commission',
      {
        discount_type: 'none',
        discount_amount: 0,
        commission_type: 'none',
        commission_amount: 0,
        commission_amount_steps: [step(1), step(2)],
      },
    ],
    [
      'fixed amounts',
      {
        discount_type: 'fixed',
        discount_amount: 0,
        commission_type: 'fixed',
        commission_amount: largest,
        commission_amount_steps: [step(1, 1001)],
      },
    ],
    ['25 steps', { commission_amount_steps: Array.from({ length: 25 }, (_, n) => step(n + 1, n)) }],
    ['the referer type first_referer', { referer_type: 'first_referer' }],
  ])('accepts %s', async (_, change) => {
    expect(await newLink(change, await createStore())).toMatchObject(change)
  })

  it('ignores unknown and read-only fields', async () => {
    const body = await newLink({ id: '1', store_id: '1', created_by: { type: 'admin', id: '1' }, note: 'x' })
    expect(body).toMatchObject({ store_id: store.id, created_by: { type: 'api_key' } })
    expect(body.id).not.toBe('1')
    expect(body).not.toHaveProperty('note')
  })

  it('accepts a code once per store regardless of case', async () => {
    const code = fresh.name()
    await newLink({ code })
    expectFault(await store.post(path, requiredFields({ code: code.toUpperCase() })), 'conflict', ['code unique'])
    expect(await newLink({ code }, await createStore())).toMatchObject({ code })
  })
})

describe('POST /affiliate-links rejects', () => {
  it.each(invalidChanges)('%s', async (_, change, item) => {
    expectFault(await store.post(path, requiredFields(change)), 'validation-failed', [item])
  })

  it('all violations together, and creates nothing', async () => {
    const own = await createStore()
    const shape = requiredFields({ code: '!', enabled: 0, tracking_length_days: 9999 })
    expectFault(await own.post(path, shape), 'validation-failed', ['code', 'enabled', 'tracking_length_days'])
    const rules = requiredFields({
      discount_type: 'none',
      commission_amount: 2000,
      commission_amount_steps: [step(1), step(1, 2000)],
    })
    expectFault(await own.post(path, rules), 'validation-failed', [
      'discount_amount',
      'commission_amount',
      'commission_amount_steps.1.billing_cycle_sequence unique',
      'commission_amount_steps.1.commission_amount',
    ])
    expectFault(await own.post(path), 'validation-failed', Object.keys(requiredFields()))
    expect((await own.get(path)).body).toEqual([])
  })
})

describe('GET /affiliate-links', () => {
  it('returns all links of the store, newest first, and none of another store', async () => {
    const [own, other] = await Promise.all([createStore(), createStore()])
    const created: AffiliateLinkBody[] = []
    for (let count = 0; count < 3; count += 1) created.push(await newLink({}, own))
    await newLink({}, other)
    const { status, body, headers } = await own.get(path)
    expect([status, body]).toEqual([200, created.toReversed()])
    expect(headers.link).toBeUndefined()
  })

  it('returns all of several hundred links', async () => {
    const own = await createStore()
    for (let count = 0; count < 480; count += 60) await Promise.all(Array.from({ length: 60 }, () => newLink({}, own)))
    const { status, body } = await own.get<AffiliateLinkBody[]>(path)
    expect(status).toBe(200)
    const ids = body.map(({ id }) => BigInt(id))
    expect(new Set(ids).size).toBe(480)
    expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? 1 : -1)))
  })
})

describe('PATCH /affiliate-links/{affiliateLinkId}', () => {
  it('changes only the fields sent and records who changed them', async () => {
    const before = await newLink({ commission_amount_steps: [step(2, 7)] })
    const { status, body } = await store.patch<AffiliateLinkBody>(`${path}/${before.id}`, { enabled: false })
    expect(status).toBe(200)
    const updated = { updated_by: { type: 'api_key', id: store.apiKeyId }, updated_at: expect.any(String) }
    expect(body).toEqual({ ...before, enabled: false, ...updated })
    expect(Date.parse(body.updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(before.created_at))
    expect((await store.get(`${path}/${before.id}`)).body).toEqual(body)
  })

  it.each<[string, object]>([
    ['wallet_id', { wallet_id: 'other' }],
    ['code', { code: fresh.name() }],
    ['referer_type', { referer_type: 'first_referer' }],
    ['tracking_length_days', { tracking_length_days: 0 }],
    ['apply_for_subscriptions', { apply_for_subscriptions: true }],
    ['discount_type', { discount_type: 'fixed' }],
    ['discount_amount', { discount_amount: 0 }],
    ['commission_type', { commission_type: 'fixed' }],
    ['commission_amount', { commission_amount: 1000 }],
    ['commission_amount_steps', { commission_amount_steps: [step(5, 3), step(4, 2)] }],
    ['no steps', { commission_amount_steps: [] }],
    ['last_commission_amount_step_repeats', { last_commission_amount_step_repeats: true }],
    ['type and amount together', { discount_type: 'none', discount_amount: 0 }],
  ])('changes only %s', async (_, change) => {
    const before = await newLink({ commission_amount_steps: [step(1, 1)] })
    const { body } = await store.patch<AffiliateLinkBody>(`${path}/${before.id}`, change)
    expect(body).toEqual({ ...before, ...change, updated_by: expect.anything(), updated_at: expect.anything() })
  })

  it.each([
    ['an empty body', {}],
    ['no body', undefined],
    ['only unknown fields', { note: 'x', store_id: '1' }],
    ['unchanged values', { enabled: true, discount_amount: 50, commission_amount_steps: [] }],
  ])('changes nothing for %s, not even updated_at', async (_, change) => {
    const before = await newLink()
    const { status, body } = await store.patch<AffiliateLinkBody>(`${path}/${before.id}`, change)
    expect([status, body]).toEqual([200, before])
  })

  it('validates the record that results from the change', async () => {
    const before = await newLink({ commission_amount_steps: [step(1, 900)] })
    const at = `${path}/${before.id}`
    expectFault(await store.patch(at, { discount_type: 'none' }), 'validation-failed', ['discount_amount max'])
    const commission = await store.patch(at, { commission_type: 'none', commission_amount: 0 })
    expectFault(commission, 'validation-failed', ['commission_amount_steps.0.commission_amount max'])
    expect((await store.get(at)).body).toEqual(before)
    await store.patch(at, { commission_type: 'fixed', commission_amount: 5000 })
    const permille = await store.patch(at, { commission_type: 'percentage' })
    expectFault(permille, 'validation-failed', ['commission_amount max'])
  })

  it('rejects the code of another link and accepts its own in another case', async () => {
    const [one, other] = [await newLink(), await newLink()]
    const taken = await store.patch(`${path}/${one.id}`, { code: other.code.toUpperCase() })
    expectFault(taken, 'conflict', ['code unique'])
    const own = await store.patch<AffiliateLinkBody>(`${path}/${one.id}`, { code: one.code.toUpperCase() })
    expect(own.body.code).toBe(one.code.toUpperCase())
  })
})

describe('PATCH /affiliate-links/{affiliateLinkId} rejects', () => {
  it.each(invalidChanges)('%s, and changes nothing', async (_, change, item) => {
    const before = await newLink()
    const response = await store.patch(`${path}/${before.id}`, { wallet_id: 'changed', ...change })
    expectFault(response, 'validation-failed', [item])
    expect((await store.get(`${path}/${before.id}`)).body).toEqual(before)
  })

  it('an unknown link, even when the body changes nothing, and the link of another store', async () => {
    const other = await createStore()
    const foreign = await newLink({}, other)
    for (const id of [unknownId, foreign.id]) {
      expectFault(await store.patch(`${path}/${id}`, { enabled: false }), 'not-found')
      expectFault(await store.patch(`${path}/${id}`, {}), 'not-found')
    }
    expect((await store.patch(`${path}/abc`, {})).status).toBe(400)
    expect((await other.get(`${path}/${foreign.id}`)).body).toEqual(foreign)
  })
})

describe('DELETE /affiliate-links/{affiliateLinkId}', () => {
  it('removes the link, returns 404 the second time, and frees the code', async () => {
    const { id, code } = await newLink()
    const { status, text } = await store.delete(`${path}/${id}`)
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expectFault(await store.get(`${path}/${id}`), 'not-found')
    expectFault(await store.patch(`${path}/${id}`, {}), 'not-found')
    expectFault(await store.delete(`${path}/${id}`), 'not-found')
    expect((await newLink({ code })).id).not.toBe(id)
  })
})
