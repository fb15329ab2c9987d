import pg from 'pg'

/** Reads the tables of both services, which no part of the product may do. */
export async function openCouponWatch(adminUrl: string, { storeId, couponId }: WatchedCoupon): Promise<CouponWatch> {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => undefined)
  await client.connect()
  const one = async <Row extends object>(text: string, values: string[]): Promise<Row> => {
    const { rows } = await client.query<Row>(text, values)
    return rows[0] as Row
  }
  return {
    granted: async () => {
      const { count } = await one<{ count: number }>(
        `select count(*)::int as count from checkout.checkout_session
        where coupon_id = $1 and status in ('open', 'completed')`,
        [couponId],
      )
      return count
    },
    balance: () =>
      one<Balance>(
        `select
          (select count(*) from checkout.coupon_reservation where store_id = $2)::int as pending,
          (select used from coupons.coupon where id = $1)::int as counter,
          (select count(*) from coupons.redemption where coupon_id = $1 and state in ('reserved', 'confirmed'))::int
            as ledger,
          (select count(*) from checkout.checkout_session
            where coupon_id = $1 and status in ('open', 'completed'))::int as sessions,
          (select count(*) from checkout.checkout_session session
            where coupon_id = $1 and status = 'completed' and not exists (
              select from coupons.redemption
              where store_id = session.store_id and checkout_id = coalesce(session.redemption_id, session.id)
                and state = 'confirmed'
            ))::int as unconfirmed,
          (select count(*) from coupons.redemption redemption
            where coupon_id = $1 and state in ('reserved', 'confirmed') and not exists (
              select from checkout.checkout_session
              where store_id = redemption.store_id and coalesce(redemption_id, id) = redemption.checkout_id
                and coupon_id = $1 and status in ('open', 'completed')
            ))::int as orphans`,
        [couponId, storeId],
      ),
    close: () => client.end(),
  }
}

interface WatchedCoupon {
  storeId: string
  couponId: string
}

export interface CouponWatch {
  /** Open and completed sessions with the coupon. */
  granted(): Promise<number>
  balance(): Promise<Balance>
  close(): Promise<void>
}

export interface Balance {
  /** Reservations that are not settled with a session. */
  pending: number
  /** Redemptions by the counter and by the ledger of the coupons service. */
  counter: number
  ledger: number
  /** Open and completed sessions with the coupon. */
  sessions: number
  /** Completed sessions without a confirmed redemption. */
  unconfirmed: number
  /** Redemptions whose session does not exist, has another coupon or has ended unpaid. */
  orphans: number
}
