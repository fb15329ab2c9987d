import { timestampDate } from '@bufbuild/protobuf/wkt'
import { isFlakeId } from '@storekeep/common/flake'
import { countEvents, eventsOf, faultOf, isPublished, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { AmountType, RefererType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { describe, expect, it } from 'vitest'
import { createTestLink, fillStore, type Input, newAffiliateLink, useAffiliateLinks } from './affiliate-link-harness.ts'
import { inStore } from './harness.ts'

const links = useAffiliateLinks()
const create = (affiliateLink: Input, options = inStore()) =>
  links.client.createAffiliateLink({ affiliateLink }, options)

describe('CreateAffiliateLink', () => {
  it('creates a link with every field', async () => {
    const options = inStore()
    const input: Input = {
      walletId: 'wallet 🦊',
      enabled: true,
      code: 'Robin_7',
      refererType: RefererType.FIRST_REFERER,
      trackingLengthDays: 3650,
      applyForSubscriptions: true,
      discountType: AmountType.FIXED,
      discountAmount: 9_007_199_254_740_991n,
      commissionType: AmountType.PERCENTAGE,
      commissionAmount: 1000n,
      commissionAmountSteps: [
        { billingCycleSequence: 2_147_483_647, commissionAmount: 1000n },
        { billingCycleSequence: 1, commissionAmount: 0n },
      ],
      lastCommissionAmountStepRepeats: true,
    }
    const { affiliateLink: link } = await create(input, options)
    expect(link).toMatchObject({
      ...input,
      storeId: options.storeId,
      createdBy: { type: ActorType.API_KEY, id: options.actor?.id },
      version: 1n,
    })
    expect(isFlakeId(link?.id ?? '')).toBe(true)
    expect(link?.updatedBy ?? link?.updatedAt).toBeUndefined()
    const age = Date.now() - (link?.createdAt ? timestampDate(link.createdAt).getTime() : 0)
    expect(Math.abs(age)).toBeLessThan(60_000)
    const stored = await links.client.getAffiliateLink({ affiliateLinkId: String(link?.id) }, options)
    expect(stored.affiliateLink).toEqual(link)
  })

  it('rejects a code that the store has, ignoring case, and accepts it in another store', async () => {
    const options = inStore()
    await createTestLink(links, options, { code: 'Robin_I' })
    const again = create(newAffiliateLink({ code: 'ROBIN_i' }), options)
    expect(await faultOf(again)).toMatchObject({ code: 'conflict' })
    expect(await violationsOf(again)).toEqual(['code unique'])
    expect((await createTestLink(links, inStore(), { code: 'Robin_I' })).code).toBe('Robin_I')
    expect(await countEvents(links, options.storeId)).toBe(1)
  })

  it('creates one of 8 concurrent links with the same code', async () => {
    const options = inStore()
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => create(newAffiliateLink({ code: n % 2 ? 'same' : 'SAME' }), options)),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
    expect(await countEvents(links, options.storeId)).toBe(1)
  })

  it('rejects the 1,001st link', async () => {
    const options = inStore()
    const link = await createTestLink(links, options)
    await fillStore(links, link, 1000)
    const full = create(newAffiliateLink(), options)
    expect(await faultOf(full)).toMatchObject({ code: 'conflict', violations: [] })
    await links.client.deleteAffiliateLink({ affiliateLinkId: link.id }, options)
    await createTestLink(links, options)
  })

  it('reports all violations and creates nothing', async () => {
    const options = inStore()
    const invalid = newAffiliateLink({
      code: 'a b',
      refererType: RefererType.INVALID,
      discountAmount: 1n,
      commissionAmountSteps: [
        { billingCycleSequence: 1, commissionAmount: 1000n },
        { billingCycleSequence: 1, commissionAmount: 1001n },
      ],
    })
    expect(await violationsOf(create(invalid, options))).toEqual([
      'code pattern',
      'referer_type enum',
      'discount_amount max',
      'commission_amount_steps.1.billing_cycle_sequence unique',
      'commission_amount_steps.1.commission_amount max',
    ])
    expect(await violationsOf(links.client.createAffiliateLink({}, options))).toEqual([
      'wallet_id length',
      'code pattern',
      'referer_type enum',
      'discount_type enum',
      'commission_type enum',
    ])
    expect(await countEvents(links, options.storeId)).toBe(0)
  })

  it('is idempotent with a key, which is rejected for another link', async () => {
    const options = withKey(inStore())
    const input = newAffiliateLink()
    const first = await create(input, options)
    expect(await create(input, options)).toEqual(first)
    expect(await faultOf(create({ ...input, enabled: false }, options))).toMatchObject({ code: 'idempotency-mismatch' })
    expect(await countEvents(links, options.storeId)).toBe(1)
  })

  it('publishes the whole link', async () => {
    const options = inStore(randomId(), { actor: { type: ActorType.API_KEY, id: '7' } })
    const affiliateLink = await createTestLink(links, options)
    expect(affiliateLink.createdBy).toMatchObject({ type: ActorType.API_KEY, id: '7' })
    expect(await eventsOf(links, affiliateLink.id)).toMatchObject([
      { type: 'affiliate_link.created', version: '1', storeId: options.storeId, message: { affiliateLink } },
    ])
    await expect.poll(() => isPublished(links, affiliateLink.id)).toBe(true)
  })
})
