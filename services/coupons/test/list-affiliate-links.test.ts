import { toBinary } from '@bufbuild/protobuf'
import { violationsOf } from '@storekeep/common/testing'
import { AmountType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { ListAffiliateLinksResponseSchema } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { describe, expect, it } from 'vitest'
import { maxAffiliateLinks } from '../src/affiliate-links/domain/affiliate-link.ts'
import { createTestLink, fillStore, useAffiliateLinks } from './affiliate-link-harness.ts'
import { inStore } from './harness.ts'

const links = useAffiliateLinks()

describe('ListAffiliateLinks', () => {
  it('returns the links of the store and no other, newest first', async () => {
    const options = inStore()
    const created = [await createTestLink(links, options), await createTestLink(links, options)]
    await createTestLink(links, inStore())
    const { affiliateLinks, nextAfter } = await links.client.listAffiliateLinks({}, options)
    expect(affiliateLinks).toEqual(created.reverse())
    expect(nextAfter).toBeUndefined()
    expect((await links.client.listAffiliateLinks({}, inStore())).affiliateLinks).toEqual([])
  })

  it('continues after a link that has been deleted', async () => {
    const options = inStore()
    const [first, second] = [await createTestLink(links, options), await createTestLink(links, options)]
    await links.client.deleteAffiliateLink({ affiliateLinkId: second.id }, options)
    const { affiliateLinks } = await links.client.listAffiliateLinks({ after: second.id }, options)
    expect(affiliateLinks).toEqual([first])
    expect(await violationsOf(links.client.listAffiliateLinks({ after: 'x' }, options))).toEqual(['after format'])
  })

  it('returns each of the largest possible links of a full store once, in less than 2 MiB in total', async () => {
    const options = inStore()
    const link = await createTestLink(links, options, {
      walletId: '🦊'.repeat(255),
      commissionType: AmountType.FIXED,
      code: 'x'.repeat(64),
      commissionAmountSteps: Array.from({ length: 25 }, (_, n) => ({
        billingCycleSequence: 2_147_483_647 - n,
        commissionAmount: BigInt(Number.MAX_SAFE_INTEGER),
      })),
    })
    await fillStore(links, link, maxAffiliateLinks)
    const ids: bigint[] = []
    let bytes = 0
    let after: string | undefined
    do {
      const response = await links.client.listAffiliateLinks(after === undefined ? {} : { after }, options)
      ids.push(...response.affiliateLinks.map(({ id }) => BigInt(id)))
      bytes += toBinary(ListAffiliateLinksResponseSchema, response).length
      after = response.nextAfter
    } while (after !== undefined)
    expect(new Set(ids).size).toBe(maxAffiliateLinks)
    expect(bytes).toBeLessThan(2 ** 21)
    expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? 1 : -1)))
  })
})
