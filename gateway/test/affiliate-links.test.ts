import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { AmountType, RefererType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
const link = {
  wallet_id: 'wallet 7',
  enabled: true,
  code: 'Robin_7-x',
  referer_type: 'first_referer',
  tracking_length_days: 30,
  apply_for_subscriptions: false,
  discount_type: 'none',
  discount_amount: 0,
  commission_type: 'fixed',
  commission_amount: 9_007_199_254_740_991,
}

const ofNothing = { discountType: AmountType.NONE, commissionType: AmountType.NONE }

const invalidFields: [string, object, string[]][] = [
  ['null for the steps', { commission_amount_steps: null }, ['commission_amount_steps type']],
  ['a wallet that is a number', { wallet_id: 7 }, ['wallet_id type']],
  ['an empty wallet', { wallet_id: '' }, ['wallet_id length']],
  ['a wallet of 256 characters', { wallet_id: 'x'.repeat(256) }, ['wallet_id length']],
  ['an empty code', { code: '' }, ['code length']],
  ['a code of 65 characters', { code: 'x'.repeat(65) }, ['code length']],
  ['a code with a slash', { code: 'a/b' }, ['code pattern']],
  ['a code with a space', { code: 'a b' }, ['code pattern']],
  ['a code with an umlaut', { code: 'Ä' }, ['code pattern']],
  ['a code with a line end', { code: 'a\n' }, ['code pattern']],
  ['a switch that is a text', { enabled: 'true' }, ['enabled type']],
  ['another switch that is a number', { apply_for_subscriptions: 1 }, ['apply_for_subscriptions type']],
  ['the referer type invalid', { referer_type: 'invalid' }, ['referer_type enum']],
  ['an unknown referer type', { referer_type: 'First_referer' }, ['referer_type enum']],
  ['an unknown discount type', { discount_type: 'percent' }, ['discount_type enum']],
  ['an unknown commission type', { commission_type: 'amount' }, ['commission_type enum']],
  ['days below 0', { tracking_length_days: -1 }, ['tracking_length_days min']],
  ['3,651 days', { tracking_length_days: 3651 }, ['tracking_length_days max']],
  ['half a day', { tracking_length_days: 0.5 }, ['tracking_length_days type']],
  ['a commission below 0', { commission_amount: -1 }, ['commission_amount min']],
  ['an amount below 0', { discount_amount: -1 }, ['discount_amount min']],
  ['a part of an amount', { discount_amount: 1.5 }, ['discount_amount type']],
  ['an amount that is a text', { commission_amount: '1' }, ['commission_amount type']],
  ['steps that are no list', { commission_amount_steps: {} }, ['commission_amount_steps type']],
  [
    'half a step',
    { commission_amount_steps: [{}] },
    [
      'commission_amount_steps.0.billing_cycle_sequence required',
      'commission_amount_steps.0.commission_amount required',
    ],
  ],
  [
    'a cycle 0',
    { commission_amount_steps: [{ billing_cycle_sequence: 0, commission_amount: 0 }] },
    ['commission_amount_steps.0.billing_cycle_sequence min'],
  ],
  [
    'a cycle of 2^31',
    { commission_amount_steps: [{ billing_cycle_sequence: 2 ** 31, commission_amount: 0 }] },
    ['commission_amount_steps.0.billing_cycle_sequence max'],
  ],
  [
    'a step below 0',
    { commission_amount_steps: [{ billing_cycle_sequence: 1, commission_amount: -1 }] },
    ['commission_amount_steps.0.commission_amount min'],
  ],
  ['a step that is a number', { commission_amount_steps: [7] }, ['commission_amount_steps.0 type']],
  [
    'a repetition of the last step that is a text',
    { last_commission_amount_step_repeats: 'no' },
    ['last_commission_amount_step_repeats type'],
  ],
  [
    '26 steps',
    { commission_amount_steps: Array(26).fill({ billing_cycle_sequence: 1, commission_amount: 0 }) },
    ['commission_amount_steps length'],
  ],
]

describe('POST /affiliate-links', () => {
  it('passes every field to the service', async () => {
    const steps = [{ billing_cycle_sequence: 2_147_483_647, commission_amount: 7 }]
    const json = { ...link, commission_amount_steps: steps, last_commission_amount_step_repeats: true }
    const response = await gateway.newStore().send('POST', '/affiliate-links', { json })
    expect(response.status).toBe(200)
    expect(gateway.received()).toMatchObject({
      affiliateLink: {
        walletId: 'wallet 7',
        enabled: true,
        code: 'Robin_7-x',
        refererType: RefererType.FIRST_REFERER,
        trackingLengthDays: 30,
        applyForSubscriptions: false,
        discountType: AmountType.NONE,
        discountAmount: 0n,
        commissionType: AmountType.FIXED,
        commissionAmount: 9_007_199_254_740_991n,
        commissionAmountSteps: [{ billingCycleSequence: 2_147_483_647, commissionAmount: 7n }],
        lastCommissionAmountStepRepeats: true,
      },
    })
  })

  it('accepts a link without steps', async () => {
    await gateway.newStore().send('POST', '/affiliate-links', { json: link })
    expect(gateway.received()).toMatchObject({
      affiliateLink: { commissionAmountSteps: [], lastCommissionAmountStepRepeats: false },
    })
  })

  it.each(Object.keys(link))('rejects a link without %s, and null for it', async (field) => {
    const { [field]: _, ...others } = link as Record<string, unknown>
    const send = (json: object) => gateway.newStore().send('POST', '/affiliate-links', { json })
    expect(itemsOf(await send(others))).toEqual([`${field} required`])
    expect(itemsOf(await send({ ...link, [field]: null })).join()).toMatch(new RegExp(`^${field} (type|enum)$`))
  })

  it.each(invalidFields)('rejects %s', async (_, change, items) => {
    const response = await gateway.newStore().send('POST', '/affiliate-links', { json: { ...link, ...change } })
    expect(itemsOf(response)).toEqual(items)
  })

  it.each(['9007199254740992', '9223372036854775808', '1e300'])(
    'rejects the amount %s, which a double cannot represent',
    async (amount) => {
      const raw = JSON.stringify({ ...link, commission_amount: 0 }).replace(
        '"commission_amount":0',
        `"commission_amount":${amount}`,
      )
      const headers = { 'content-type': 'application/json' }
      const response = await gateway.newStore().send('POST', '/affiliate-links', { raw, headers })
      expect(itemsOf(response)).toEqual(['commission_amount max'])
    },
  )
})

describe('PATCH /affiliate-links/{affiliateLinkId}', () => {
  it.each<[object]>([
    [{}],
    [{ note: 'x' }],
    ...Object.entries(link).map(([field, value]): [object] => [{ [field]: value }]),
    [{ commission_amount_steps: [], last_commission_amount_step_repeats: false }],
    [link],
  ])('updates the fields in %j', async (json) => {
    const store = gateway.newStore()
    const affiliateLinkId = newId()
    expect((await store.send('PATCH', `/affiliate-links/${affiliateLinkId}`, { json })).status).toBe(200)
    const { updateMask } = gateway.received() as { updateMask: { paths: string[] } }
    expect(gateway.received()).toMatchObject({ affiliateLinkId })
    expect(updateMask.paths.toSorted()).toEqual(
      Object.keys(json)
        .filter((name) => name !== 'note')
        .sort(),
    )
  })

  it.each(invalidFields)('rejects %s', async (_, json, items) => {
    const response = await gateway.newStore().send('PATCH', `/affiliate-links/${newId()}`, { json })
    expect(itemsOf(response)).toEqual(items)
  })

  it.each([...Object.keys(link), 'commission_amount_steps', 'last_commission_amount_step_repeats'])(
    'rejects null for %s',
    async (field) => {
      const response = await gateway
        .newStore()
        .send('PATCH', `/affiliate-links/${newId()}`, { json: { [field]: null } })
      expect(itemsOf(response).join()).toMatch(new RegExp(`^${field} (type|enum)$`))
    },
  )
})

describe('GET /affiliate-links', () => {
  it('reads the list to its end', async () => {
    const store = gateway.newStore()
    const createdAt = timestampFromDate(new Date(0))
    gateway.services.overrides.listAffiliateLinks = async ({ after = '9' }: { after?: string }) => ({
      affiliateLinks: [{ ...ofNothing, id: after, storeId: store.id, createdAt }],
      ...(after !== '7' && { nextAfter: String(Number(after) - 1) }),
    })
    const { body } = await store.send('GET', '/affiliate-links')
    expect((body as { id: string }[]).map(({ id }) => id)).toEqual(['9', '8', '7'])
  })

  it.each(['limit', 'after', 'before', 'asc', 'code'])('is not paged and rejects %s', async (parameter) => {
    const response = await gateway.newStore().send('GET', `/affiliate-links?${parameter}=1`)
    expect(itemsOf(response)).toEqual([`${parameter} enum`])
  })
})

describe('an affiliate link', () => {
  it('is returned with every field, amounts as numbers, and null for absent values', async () => {
    const store = gateway.newStore()
    const { text } = await store.send('GET', '/affiliate-links/5')
    expect(JSON.parse(text)).toEqual({
      id: '5',
      store_id: store.id,
      wallet_id: 'wallet-7',
      enabled: true,
      code: 'ROBIN',
      referer_type: 'last_referer',
      tracking_length_days: 30,
      apply_for_subscriptions: true,
      discount_type: 'none',
      discount_amount: 0,
      commission_type: 'percentage',
      commission_amount: 125,
      commission_amount_steps: [{ billing_cycle_sequence: 2, commission_amount: 50 }],
      last_commission_amount_step_repeats: true,
      created_by: { type: 'api_key', id: store.keyId },
      created_at: '2026-11-20T14:35:17.042Z',
      updated_by: null,
      updated_at: null,
    })
  })

  it('names who changed it', async () => {
    const store = gateway.newStore()
    const time = timestampFromDate(new Date('2026-11-20T15:00:00.000Z'))
    gateway.services.overrides.getAffiliateLink = async () => ({
      affiliateLink: {
        ...ofNothing,
        id: '5',
        storeId: store.id,
        createdAt: time,
        updatedBy: { type: ActorType.INTERNAL },
        updatedAt: time,
      },
    })
    expect((await store.send('GET', '/affiliate-links/5')).body).toMatchObject({
      enabled: false,
      updated_by: { type: 'internal', id: null },
      updated_at: '2026-11-20T15:00:00.000Z',
    })
  })
})
