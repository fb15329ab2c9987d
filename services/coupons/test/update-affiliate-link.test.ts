import { eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { type AffiliateLink, AmountType, RefererType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { describe, expect, it } from 'vitest'
import { createTestLink, type Input, useAffiliateLinks } from './affiliate-link-harness.ts'
import { inStore } from './harness.ts'

const links = useAffiliateLinks()
type Options = ReturnType<typeof inStore>

async function update(options: Options, affiliateLinkId: string, paths: string[], affiliateLink: Input = {}) {
  const request = { affiliateLinkId, affiliateLink, updateMask: { paths } }
  return (await links.client.updateAffiliateLink(request, options)).affiliateLink as AffiliateLink
}

const get = async (options: Options, affiliateLinkId: string) =>
  (await links.client.getAffiliateLink({ affiliateLinkId }, options)).affiliateLink

describe('UpdateAffiliateLink', () => {
  it('changes only the fields in the mask and records who changed them', async () => {
    const options = inStore()
    const before = await createTestLink(links, options)
    const support = { ...options, actor: { type: ActorType.API_KEY, id: '7' } }
    const after = await update(support, before.id, ['enabled'], { enabled: false, code: 'x', walletId: 'y' })
    const changed = { updatedBy: support.actor, updatedAt: expect.anything(), version: 2n }
    expect(after).toMatchObject({ ...before, enabled: false, ...changed })
    expect(await get(options, before.id)).toEqual(after)
  })

  it('changes every field', async () => {
    const options = inStore()
    const { id } = await createTestLink(links, options)
    const all: Input = {
      walletId: 'other',
      enabled: false,
      code: 'Marian',
      refererType: RefererType.FIRST_REFERER,
      trackingLengthDays: 7,
      applyForSubscriptions: true,
      discountType: AmountType.FIXED,
      discountAmount: 500n,
      commissionType: AmountType.FIXED,
      commissionAmount: 700n,
      commissionAmountSteps: [{ billingCycleSequence: 3, commissionAmount: 9n }],
      lastCommissionAmountStepRepeats: true,
    }
    const paths = Object.keys(all).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    expect(await update(options, id, paths, all)).toMatchObject({ ...all, version: 2n })
    const { commissionAmountSteps } = await update(options, id, ['commission_amount_steps'])
    expect(commissionAmountSteps).toEqual([])
  })

  it.each<[string, string[], Input]>([
    ['an empty mask', [], { code: 'x' }],
    ['unchanged values', ['enabled', 'discount_type'], { enabled: true, discountType: AmountType.NONE }],
  ])('changes nothing for %s', async (_what, paths, change) => {
    const options = inStore()
    const before = await createTestLink(links, options)
    expect(await update(options, before.id, paths, change)).toEqual(before)
    expect(await eventsOf(links, before.id)).toHaveLength(1)
  })

  it('validates the link that results from the change', async () => {
    const options = inStore()
    const steps = [{ billingCycleSequence: 1, commissionAmount: 900n }]
    const before = await createTestLink(links, options, { commissionAmountSteps: steps })
    const { id } = before
    const none = { commissionType: AmountType.NONE }
    expect(await violationsOf(update(options, id, ['commission_type'], none))).toEqual([
      'commission_amount max',
      'commission_amount_steps.0.commission_amount max',
    ])
    const amount = update(options, id, ['commission_amount'], { commissionAmount: 1001n })
    expect(await violationsOf(amount)).toEqual(['commission_amount max'])
    expect(await get(options, id)).toEqual(before)
    const paths = ['commission_type', 'commission_amount', 'commission_amount_steps']
    expect(await update(options, id, paths, none)).toMatchObject({ commissionAmount: 0n, commissionAmountSteps: [] })
  })

  it('validates the fields in the mask and no others', async () => {
    const options = inStore()
    const { id } = await createTestLink(links, options)
    const invalid: Input = { walletId: '', code: '!', refererType: RefererType.INVALID, trackingLengthDays: -1 }
    expect(await violationsOf(update(options, id, ['code', 'referer_type'], invalid))).toEqual([
      'code pattern',
      'referer_type enum',
    ])
    expect(await faultOf(update(options, id, ['store_id']))).toMatchObject({ code: 'bad-request' })
  })

  it('rejects the code of another link and accepts its own in another case', async () => {
    const options = inStore()
    await createTestLink(links, options, { code: 'marian' })
    const { id } = await createTestLink(links, options, { code: 'robin' })
    const taken = update(options, id, ['code'], { code: 'Marian' })
    expect(await faultOf(taken)).toMatchObject({ code: 'conflict' })
    expect(await violationsOf(taken)).toEqual(['code unique'])
    expect(await update(options, id, ['code'], { code: 'ROBIN' })).toMatchObject({ code: 'ROBIN' })
  })

  it('keeps two concurrent changes of different fields, 20 times, and publishes the result of both', async () => {
    const options = inStore()
    const { id } = await createTestLink(links, options)
    for (let round = 0; round < 20; round += 1) {
      const [walletId, trackingLengthDays] = [`round ${round}`, round]
      await Promise.all([
        update(options, id, ['wallet_id'], { walletId }),
        update(options, id, ['tracking_length_days'], { trackingLengthDays }),
      ])
      const changed = { walletId, trackingLengthDays, version: BigInt(round * 2 + 3) }
      expect(await get(options, id)).toMatchObject(changed)
      expect((await eventsOf(links, id)).at(-1)?.message).toMatchObject({ affiliateLink: changed })
    }
  })

  it('keeps the link valid under two concurrent changes, 20 times', async () => {
    const options = inStore()
    const { id } = await createTestLink(links, options, { commissionAmount: 0n })
    for (let round = 0; round < 20; round += 1) {
      await Promise.allSettled([
        update(options, id, ['commission_type'], { commissionType: AmountType.NONE }),
        update(options, id, ['commission_amount'], { commissionAmount: 500n }),
      ])
      const { commissionType, commissionAmount } = (await get(options, id)) ?? {}
      expect([commissionType === AmountType.NONE, commissionAmount]).toEqual(
        commissionType === AmountType.NONE ? [true, 0n] : [false, 500n],
      )
      const reset = { commissionType: AmountType.PERCENTAGE, commissionAmount: 0n }
      await update(options, id, ['commission_type', 'commission_amount'], reset)
    }
  })

  it('returns not-found for an unknown link and one of another store', async () => {
    const { id } = await createTestLink(links, inStore())
    expect(await faultOf(update(inStore(), id, ['enabled']))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(update(inStore(), randomId(), []))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(update(inStore(), 'x', []))).toEqual(['affiliate_link_id format'])
  })

  it('is idempotent with a key and publishes the whole link', async () => {
    const options = inStore()
    const { id } = await createTestLink(links, options)
    const repeated = withKey(options)
    const first = await update(repeated, id, ['wallet_id'], { walletId: 'first' })
    await update(options, id, ['wallet_id'], { walletId: 'second' })
    expect(await update(repeated, id, ['wallet_id'], { walletId: 'first' })).toEqual(first)
    const events = await eventsOf(links, id)
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['affiliate_link.created', '1'],
      ['affiliate_link.updated', '2'],
      ['affiliate_link.updated', '3'],
    ])
    expect(events[1]?.message).toMatchObject({ affiliateLink: first })
  })
})
