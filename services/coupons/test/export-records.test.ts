import { fromBinary } from '@bufbuild/protobuf'
import { exportAll } from '@storekeep/common/testing'
import { AffiliateLinkSchema } from '@storekeep/proto/coupons/v1/affiliate_link'
import { CouponSchema } from '@storekeep/proto/coupons/v1/coupon'
import { describe, expect, it } from 'vitest'
import { createTestLink, useAffiliateLinks } from './affiliate-link-harness.ts'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'

describe('coupons', () => {
  const coupons = useCoupons()
  it('are exported in the state of their last event, and not after they are deleted', async () => {
    const options = inStore()
    const { id: couponId } = await createTestCoupon(coupons, options)
    const { id: gone } = await createTestCoupon(coupons, options)
    await coupons.client.deleteCoupon({ couponId: gone }, options)
    const update = { couponId, coupon: { note: 'Ärger' }, updateMask: { paths: ['note'] } }
    const { coupon } = await coupons.client.updateCoupon(update, options)
    const { records } = await exportAll(coupons.running, 'coupon')
    expect(records).toMatchObject([{ id: couponId, storeId: options.storeId, version: coupon?.version }])
    expect(records.map(({ record }) => fromBinary(CouponSchema, record))).toEqual([coupon])
  })
})

describe('affiliate links', () => {
  const links = useAffiliateLinks()
  it('are exported in the state of their last event', async () => {
    const options = inStore()
    const { id: affiliateLinkId } = await createTestLink(links, options)
    const update = { affiliateLinkId, affiliateLink: { enabled: false }, updateMask: { paths: ['enabled'] } }
    const { affiliateLink } = await links.client.updateAffiliateLink(update, options)
    const { records } = await exportAll(links.running, 'affiliate_link')
    expect(records).toMatchObject([{ id: affiliateLinkId, storeId: options.storeId, version: affiliateLink?.version }])
    expect(records.map(({ record }) => fromBinary(AffiliateLinkSchema, record))).toEqual([affiliateLink])
  })
})
