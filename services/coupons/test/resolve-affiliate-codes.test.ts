import { type Client, createClient, createGrpcTransport, type Transport } from '@storekeep/common/grpc'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestLink, useAffiliateLinks } from './affiliate-link-harness.ts'
import { inStore, newCoupon } from './harness.ts'

const links = useAffiliateLinks()
let transport: Transport
let coupons: Client<typeof CouponsService>
beforeAll(() => {
  transport = createGrpcTransport({ address: links.running.address })
  coupons = createClient(CouponsService, transport)
})
afterAll(() => transport.close())

describe('ResolveCodes', () => {
  it('finds an affiliate link by its code, in any case and with blanks around it', async () => {
    const options = inStore()
    const affiliateLink = await createTestLink(links, options, { code: 'Robin_7' })
    const { codes } = await coupons.resolveCodes({ codes: [' robin_7', 'nobody', 'ROBIN_7'] }, options)
    expect(codes).toMatchObject([{ affiliateLink }, {}, { affiliateLink }])
    expect(codes[1]?.affiliateLink).toBeUndefined()
  })

  it('finds a disabled link too: whether it counts is for the caller to say', async () => {
    const options = inStore()
    const { code } = await createTestLink(links, options, { enabled: false })
    const { codes } = await coupons.resolveCodes({ codes: [code] }, options)
    expect(codes).toMatchObject([{ affiliateLink: { enabled: false } }])
  })

  it('finds both a coupon and a link that have the same code', async () => {
    const options = inStore()
    const affiliateLink = await createTestLink(links, options, { code: 'Same' })
    const { coupon } = await coupons.createCoupon({ coupon: newCoupon({ code: 'SAME' }) }, options)
    expect((await coupons.resolveCodes({ codes: ['same'] }, options)).codes).toMatchObject([{ affiliateLink, coupon }])
  })

  it('finds no link of another store, and none that is gone', async () => {
    const options = inStore()
    const { id: affiliateLinkId, code } = await createTestLink(links, options)
    const resolved = async (inside = options) => (await coupons.resolveCodes({ codes: [code] }, inside)).codes[0]
    expect((await resolved(inStore()))?.affiliateLink).toBeUndefined()
    expect((await resolved())?.affiliateLink?.id).toBe(affiliateLinkId)
    await links.client.deleteAffiliateLink({ affiliateLinkId }, options)
    expect((await resolved())?.affiliateLink).toBeUndefined()
  })
})
