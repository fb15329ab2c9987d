import type { Database } from '@storekeep/common/postgres'
import type { Coupon } from '@storekeep/proto/coupons/v1/coupon'
import sql from 'sql-template-tag'
import type { Reservation } from './redemptions.ts'

/**
 * The negative control of the race: reserves with the statements of the service, but decides without locking the
 * coupon's row.
 * @returns whether it reserved
 */
export async function reserveUnsafely(
  database: Database,
  { storeId, versionId }: Coupon,
  { couponId, customerId, checkoutId }: Reservation,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [coupon] = await tx.query<{ free: boolean }>(sql`
      select not redeem_limit_store_enabled or used < redeem_limit_store_amount as free
      from coupon where store_id = ${storeId} and id = ${couponId}`)
    const [customer] = await tx.query<{ free: boolean }>(sql`
      select not redeem_limit_customer_enabled or redeem_limit_customer_amount > coalesce((
        select used from coupon_customer_usage
        where store_id = ${storeId} and coupon_id = ${couponId} and customer_id = ${customerId}
      ), 0) as free
      from coupon where store_id = ${storeId} and id = ${couponId}`)
    if (!coupon?.free || !customer?.free) return false
    await tx.query(sql`
      insert into redemption (store_id, checkout_id, coupon_id, coupon_version_id, customer_id, state, expires_at,
        created_at)
      values (${storeId}, ${checkoutId}, ${couponId}, ${versionId}, ${customerId}, 'reserved',
        now() + interval '1 hour', now())`)
    await tx.query(sql`update coupon set used = used + 1 where store_id = ${storeId} and id = ${couponId}`)
    await tx.query(sql`
      insert into coupon_customer_usage as usage (store_id, coupon_id, customer_id, used)
      values (${storeId}, ${couponId}, ${customerId}, 1)
      on conflict (store_id, coupon_id, customer_id) do update set used = usage.used + 1`)
    return true
  })
}
