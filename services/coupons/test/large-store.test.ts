import { planPage } from '@storekeep/common/page'
import { plansOf, randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { selectCoupons } from '../src/coupons/db/coupon-list-repository.ts'
import type { CouponFilter } from '../src/coupons/domain/coupon-filter.ts'
import { findNamedCoupons } from '../src/redemptions/db/coupon-usage-repository.ts'
import { deleteEndedRedemptions, findCouponsToExpire } from '../src/redemptions/db/redemption-repository.ts'
import { useCoupons } from './harness.ts'

const coupons = useCoupons()
const storeId = randomId()
const couponCount = 20_000

beforeAll(async () => {
  const { database } = coupons
  await database.query(sql`
    insert into coupon (store_id, enabled, code, folded_code, duration, discount_type, discount_amount,
      discount_apply_individually, discount_apply_before_sales, apply_to_products, apply_to_tags,
      usable_by_customer_id, minimum_order_value, redeem_limit_store_enabled, redeem_limit_store_amount,
      redeem_limit_customer_enabled, redeem_limit_customer_amount, usable_on_one_time_purchase,
      usable_on_subscription, expires_at, created_by, created_at)
    select ${storeId}::bigint, true, 'c' || n, 'c' || n, 'once', 'percent', 100, false, false, '{}', '{}', n, 0, false,
      0, false, 0, true, false, case when n > 3 then now() - interval '1 day' end,
      case when n % 5000 = 0 then 'api_key:7' else 'internal' end, now()
    from generate_series(1, ${couponCount}::int) n`)
  await database.query(sql`
    insert into redemption (store_id, checkout_id, coupon_id, coupon_version_id, customer_id, state, expires_at,
      created_at)
    select store_id, id, id, version_id, 1, 'reserved', now() + interval '1 hour', now() from coupon`)
  await database.query(sql`analyze coupon, redemption`)
})

const everything: CouponFilter = { status: undefined, type: undefined, usableByCustomerId: undefined }

describe('in a store with many coupons', () => {
  it.each<[string, Partial<CouponFilter>, string]>([
    ['without a filter', {}, 'coupon_pkey'],
    ['of active coupons', { status: 'active' }, 'coupon_active_until'],
    ['of manual coupons', { type: 'manual' }, 'coupon_of_type'],
    ['of active manual coupons', { status: 'active', type: 'manual' }, 'coupon_(of_type|active_until)'],
    ['of active generated coupons', { status: 'active', type: 'generated' }, 'coupon_active_until'],
    ['of coupons for a customer', { usableByCustomerId: '7' }, 'coupon_of_customer'],
  ])('a page %s is read from an index', async (_what, filter, index) => {
    const all = { ...everything, ...filter }
    const [plan] = await plansOf(coupons.database, (db) => selectCoupons(db, storeId, all, planPage(), new Date()))
    expect(plan).toMatch(new RegExp(`Index Scan.* (using|on) ${index}`))
    expect(plan).not.toContain('Seq Scan')
  })

  it.each([
    ['their codes', undefined, 19],
    ['an id or their codes', 'c500', 20],
  ])('coupons named by %s are found in indexes', async (_what, codeOfId, count) => {
    const codes = Array.from({ length: 20 }, (_, n) => `c${n}`)
    const [coupon] = await coupons.database.query<{ id: string }>(sql`
      select id from coupon where store_id = ${storeId} and code = ${codeOfId}`)
    const names = { couponId: coupon?.id, codes }
    const [plan] = await plansOf(coupons.database, (db) => findNamedCoupons(db, storeId, names))
    expect(plan).not.toContain('Seq Scan')
    expect(plan).toContain('coupon_code_unique')
    expect(await findNamedCoupons(coupons.database, storeId, names)).toHaveLength(count)
  })

  it('expired reservations and prunable redemptions are found without a sequential scan', async () => {
    const plans = [
      ...(await plansOf(coupons.database, (db) => findCouponsToExpire(db, { now: new Date(), limit: 500 }))),
      ...(await plansOf(coupons.database, (db) => deleteEndedRedemptions(db, new Date(), 1000))),
    ]
    expect(plans).toHaveLength(2)
    for (const plan of plans) expect(plan).not.toContain('Seq Scan')
  })
})
