import type { Queryable } from '@storekeep/common/postgres'
import sql, { type Sql } from 'sql-template-tag'
import type { ReportPeriod, TaxReportRow } from '../domain/tax-report.ts'

/** The taxed orders of the period and the refunds that succeeded in it, by tax. */
export async function selectTaxReport(
  db: Queryable,
  storeId: string,
  { from, to, timeZone }: ReportPeriod,
): Promise<TaxReportRow[]> {
  const midnight = (day: Sql) => sql`(${day})::timestamp at time zone ${timeZone}`
  const within = (column: Sql) =>
    sql`${column} >= ${midnight(sql`${from}::date`)} and ${column} < ${midnight(sql`${to}::date + 1`)}`
  const rows = await db.query<StoredRow>(sql`
    with sale as (
      select id, 1 as orders, net_amount, tax_amount, 0 as refunded_net, 0 as refunded_tax
      from store_order
      where store_id = ${storeId} and tax is not null and ${within(sql`created_at`)}
      union all
      select order_id, 0, 0, 0, net_amount, tax_amount
      from refund
      where store_id = ${storeId} and tax_amount is not null and ${within(sql`succeeded_at`)}
    )
    select currency, tax ->> 'country' as country, coalesce((tax ->> 'rate')::int, 0) as rate, tax ->> 'name' as name,
      coalesce((tax ->> 'reverseCharge')::boolean, false) as "reverseCharge", sum(orders)::text as orders,
      sum(sale.net_amount)::text as "netAmount", sum(sale.tax_amount)::text as "taxAmount",
      sum(refunded_net)::text as "refundedNetAmount", sum(refunded_tax)::text as "refundedTaxAmount"
    from sale join store_order on store_order.store_id = ${storeId} and store_order.id = sale.id
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4 nulls first, 5`)
  return rows.map((row) => ({
    ...row,
    orders: BigInt(row.orders),
    netAmount: BigInt(row.netAmount),
    taxAmount: BigInt(row.taxAmount),
    refundedNetAmount: BigInt(row.refundedNetAmount),
    refundedTaxAmount: BigInt(row.refundedTaxAmount),
  }))
}

type StoredRow = { [K in keyof TaxReportRow]: TaxReportRow[K] extends bigint ? string : TaxReportRow[K] }
