import pg from 'pg'

/** Looks into the tables of both services, as no part of the product may. */
export async function openCouponWatch(adminUrl: string, couponId: string): Promise<CouponWatch> {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => undefined)
  await client.connect()
  const one = async <Row extends object>(text: string): Promise<Row> => {
    const { rows } = await client.query<Row>(text, [couponId])
    return rows[0] as Row
  }
  return {
    granted: async () => {
      const { count } = await one<{ count: number }>(`
        select count(*)::int as count from checkout.checkout_session
        where coupon_id = $1 and status in ('open', 'completed')`)
      return count
    },
    balance: () =>
      one<Balance>(`
        select
          (select count(*) from checkout.coupon_hold where coupon_id = $1)::int as holds,
          (select used from coupons.coupon where id = $1)::int as counter,
          (select count(*) from coupons.redemption where coupon_id = $1 and state in ('reserved', 'confirmed'))::int
            as ledger,
          (select count(*) from checkout.checkout_session
            where coupon_id = $1 and status in ('open', 'completed'))::int as sessions,
          (select count(*) from checkout.checkout_session session
            where coupon_id = $1 and status = 'completed' and not exists (
              select from coupons.redemption
              where store_id = session.store_id and checkout_id = session.id and state = 'confirmed'
            ))::int as unconfirmed,
          (select count(*) from coupons.redemption slot
            where coupon_id = $1 and state in ('reserved', 'confirmed') and not exists (
              select from checkout.checkout_session
              where store_id = slot.store_id and id = slot.checkout_id and status in ('open', 'completed')
            ))::int as orphans`),
    close: () => client.end(),
  }
}

export interface CouponWatch {
  /** Sessions that have the coupon now, paid or not. */
  granted(): Promise<number>
  balance(): Promise<Balance>
  close(): Promise<void>
}

export interface Balance {
  /** Slots under way. */
  holds: number
  /** What the coupons service counts, and what its ledger says. */
  counter: number
  ledger: number
  /** Open and completed ones with the coupon. */
  sessions: number
  /** Completed ones without a confirmed slot. */
  unconfirmed: number
  /** Slots of sessions that are not there or have ended unpaid. */
  orphans: number
}
