import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { randomId, violationsOf } from '@storekeep/common/testing'
import { AmountType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { CouponDuration } from '@storekeep/proto/coupons/v1/coupon'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestLink } from './affiliate-link-harness.ts'
import { clientOf, createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, hourMs, newReservation, type Reservation, reserve, storeLimit } from './redemptions.ts'

const coupons = useCoupons()
const affiliateLinks = clientOf(coupons, AffiliateLinksService)

async function redemptionsOf(checkoutId: string) {
  return await coupons.database.query(sql`
    select store_id as "storeId", coupon_id as "couponId", coupon_version_id as "couponVersionId",
      customer_id as "customerId", state, expires_at as "expiresAt"
    from redemption where checkout_id = ${checkoutId}`)
}

describe('ReserveCoupon', () => {
  it('reserves the coupon and returns the discount of each line', async () => {
    const options = inStore()
    const repeating = { duration: CouponDuration.REPEATING, durationInMonths: 3 }
    const { id, versionId } = await createTestCoupon(coupons, options, repeating)
    const lines = [
      { quantity: 1, amount: 1000n },
      { quantity: 3, amount: 25n },
      { amount: 50n, isCouponsDisabled: true },
    ]
    const reservation = newReservation(coupons, { id })
    const { checkoutId, customerId } = reservation
    const response = await coupons.redemptions.reserveCoupon({ ...reservation, lines }, options)
    expect(response.coupon).toMatchObject({ couponId: id, couponVersionId: versionId, lineDiscounts: [100n, 3n, 0n] })
    expect(response.coupon).toMatchObject(repeating)
    expect(response.affiliateLink).toBeUndefined()
    const expiresAt = timestampDate(reservation.expiresAt)
    const ids = { storeId: options.storeId, couponId: id, couponVersionId: versionId, customerId }
    expect(await redemptionsOf(checkoutId)).toEqual([{ ...ids, state: 'reserved', expiresAt }])
    expect(await countsOf(coupons.database, id)).toEqual(counts(1))
  })

  it('applies a coupon and an affiliate link named by their codes', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, { code: 'Ärger' })
    const link = await createTestLink({ client: affiliateLinks() }, options, {
      discountType: AmountType.PERCENTAGE,
      discountAmount: 500n,
    })
    const { couponId: _, ...order } = newReservation(coupons, coupon)
    const promoCodes = [link.code.toUpperCase(), ' a\u0308RGER']
    const response = await coupons.redemptions.reserveCoupon({ ...order, promoCodes }, options)
    expect(response.coupon).toMatchObject({ couponId: coupon.id, code: 'Ärger', lineDiscounts: [100n] })
    expect(response.affiliateLink).toMatchObject({ affiliateLinkId: link.id, discountAmount: 450n })
  })

  it('reserves nothing for an order without a coupon', async () => {
    const options = inStore()
    const link = await createTestLink({ client: affiliateLinks() }, options, {
      discountType: AmountType.FIXED,
      discountAmount: 30n,
    })
    const { couponId: _, ...order } = newReservation(coupons, { id: '' })
    const response = await coupons.redemptions.reserveCoupon({ ...order, affiliateCode: link.code }, options)
    expect(response).toMatchObject({ affiliateLink: { affiliateLinkId: link.id, discountAmount: 30n } })
    const applied = await coupons.redemptions.reserveCoupon({ ...order, affiliateLinkId: link.id }, options)
    expect(applied).toEqual(response)
    const ignored = await coupons.redemptions.reserveCoupon({ ...order, affiliateCode: 'unknown' }, options)
    expect(ignored.coupon ?? ignored.affiliateLink).toBeUndefined()
    expect(await redemptionsOf(order.checkoutId)).toEqual([])
  })

  it.each<[string, Partial<Reservation>, string]>([
    ['an expired coupon', {}, 'coupon-expired'],
    ['an order below the minimum', { lines: [{ quantity: 1, amount: 99n }] }, 'coupon-below-minimum'],
    ['an order without eligible lines', { lines: [] }, 'coupon-out-of-scope'],
  ])('rejects %s and reserves nothing', async (_, change, code) => {
    const options = inStore()
    const expiresAt = timestampFromDate(new Date(coupons.clock.now().getTime() - 1))
    const terms = { 'coupon-below-minimum': { minimumOrderValue: 100n }, 'coupon-expired': { expiresAt } }
    const coupon = await createTestCoupon(coupons, options, Reflect.get(terms, code) ?? {})
    const reservation = newReservation(coupons, coupon, change)
    expect(await reserve(coupons, options, coupon, reservation)).toBe(`rejected: ${code}`)
    expect(await redemptionsOf(reservation.checkoutId)).toEqual([])
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
  })

  it('decides against the latest version of the coupon', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const paths = ['discount_amount']
    const update = { couponId: coupon.id, coupon: { discountAmount: 500n }, updateMask: { paths } }
    const { coupon: changed } = await coupons.client.updateCoupon(update, options)
    const response = await coupons.redemptions.reserveCoupon(newReservation(coupons, coupon), options)
    expect(response.coupon).toMatchObject({ couponVersionId: changed?.versionId, lineDiscounts: [500n] })
  })

  it('leaves nothing behind after a rejection, so that the checkout can retry', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const checkoutId = randomId()
    expect(await reserve(coupons, options, coupon, { checkoutId, lines: [] })).toBe('rejected: coupon-out-of-scope')
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('RESERVED')
  })

  it('rejects a checkout that has released or lost its reservation', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, storeLimit(1n))
    const released = newReservation(coupons, coupon)
    await coupons.redemptions.reserveCoupon(released, options)
    await coupons.redemptions.releaseRedemption({ checkoutId: released.checkoutId }, options)
    expect(await reserve(coupons, options, coupon, released)).toBe('conflict')
    const lost = newReservation(coupons, coupon)
    await coupons.redemptions.reserveCoupon(lost, options)
    coupons.clock.advance(hourMs)
    expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
    expect(await reserve(coupons, options, coupon, lost)).toBe('conflict')
  })

  it('never rejects a code of a checkout that holds a reservation, since a rejection means that it holds none', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const other = await createTestCoupon(coupons, options)
    const reservation = newReservation(coupons, coupon)
    await coupons.redemptions.reserveCoupon(reservation, options)
    const { coupon: changed = coupon } = await coupons.client.updateCoupon(
      { couponId: other.id, coupon: { enabled: false }, updateMask: { paths: ['enabled'] } },
      options,
    )
    const changes: Partial<Reservation>[] = [
      { couponId: changed.id },
      { couponId: randomId() },
      { customerId: randomId() },
      { lines: [] },
    ]
    for (const change of changes) {
      expect(await reserve(coupons, options, coupon, { ...reservation, ...change })).toBe('conflict')
    }
    const note = { couponId: coupon.id, coupon: { note: 'x' }, updateMask: { paths: ['note'] } }
    await coupons.client.updateCoupon(note, options)
    expect(await reserve(coupons, options, coupon, reservation)).toBe('conflict')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    expect(await countsOf(coupons.database, other.id)).toEqual(counts(0))
  })

  it('does not find coupons, affiliate links and checkouts of another store, nor deleted coupons', async () => {
    const [options, elsewhere] = [inStore(), inStore()]
    const coupon = await createTestCoupon(coupons, options)
    const other = await createTestCoupon(coupons, elsewhere)
    const link = await createTestLink({ client: affiliateLinks() }, options, {})
    const checkoutId = randomId()
    const order = { ...newReservation(coupons, coupon), promoCodes: [coupon.code, link.code] }
    expect(await violationsOf(coupons.redemptions.reserveCoupon(order, elsewhere))).toEqual([
      'coupon_id reference',
      'promo_codes.0 reference',
      'promo_codes.1 reference',
    ])
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('RESERVED')
    expect(await reserve(coupons, elsewhere, other, { checkoutId })).toBe('RESERVED')
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    await coupons.client.deleteCoupon({ couponId: coupon.id }, options)
    expect(await reserve(coupons, options, coupon)).toBe('rejected: reference')
  })

  it('validates codes without lines and without reserving', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options, { ...storeLimit(1n), minimumOrderValue: 1000n })
    await reserve(coupons, options, coupon)
    const customerId = randomId()
    const validate = (codes: { couponId?: string; promoCodes?: string[] }) =>
      coupons.redemptions.reserveCoupon({ customerId, validateOnly: true, ...codes }, options)
    expect((await validate({ promoCodes: [coupon.code] })).coupon).toBeUndefined()
    expect(await violationsOf(validate({ couponId: coupon.id, promoCodes: ['unknown'] }))).toEqual([
      'promo_codes.0 reference',
    ])
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it.each<[string, Partial<Reservation>, string]>([
    ['coupon', { couponId: 'x' }, 'coupon_id format'],
    ['customer', { customerId: '0' }, 'customer_id format'],
    ['checkout', { checkoutId: '-1' }, 'checkout_id format'],
  ])('rejects a malformed %s id', async (_what, change, violation) => {
    const reservation = newReservation(coupons, { id: '7' }, change)
    expect(await violationsOf(coupons.redemptions.reserveCoupon(reservation, inStore()))).toEqual([violation])
  })

  it('rejects a reservation without an expiry time', async () => {
    const { expiresAt: _, ...reservation } = newReservation(coupons, { id: '7' })
    const call = coupons.redemptions.reserveCoupon(reservation, inStore())
    expect(await violationsOf(call)).toEqual(['expires_at required'])
  })
})
