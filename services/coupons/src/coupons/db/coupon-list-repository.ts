import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { CouponFilter } from '../domain/coupon-filter.ts'
import { type CouponColumns, type CouponRow, couponColumns, couponFromColumns } from './schema.ts'

/** The rows of one page, in the order in which the plan reads. */
export async function selectCoupons(
  db: Queryable,
  storeId: string,
  filter: CouponFilter,
  plan: PagePlan,
  now: Date,
): Promise<CouponRow[]> {
  const rows = await db.query<CouponColumns>(sql`
    select ${couponColumns} from coupon
    where store_id = ${storeId} and ${pageCondition(plan)} ${ofType(filter)} ${forCustomer(filter)}
      ${withStatus(filter, now)}
    ${pageOrder(plan)} limit ${plan.take}`)
  return rows.map(couponFromColumns)
}

function ofType({ type }: CouponFilter): Sql {
  if (type === undefined) return empty
  return type === 'generated' ? raw('and generated') : raw('and not generated')
}

function forCustomer({ usableByCustomerId: id }: CouponFilter): Sql {
  return id === undefined ? empty : sql`and usable_by_customer_id = ${id}`
}

function withStatus({ status }: CouponFilter, now: Date): Sql {
  switch (status) {
    case undefined:
      return empty
    case 'active':
      return sql`and active_until > ${now} and (usable_at is null or usable_at <= ${now})`
    case 'inactive':
      return sql`and (active_until <= ${now} or usable_at > ${now})`
  }
}
