import sql, { raw, type Sql } from 'sql-template-tag'
import type { PagePlan } from './page.ts'

/** SQL condition for the rows of a page: `where store_id = … and ${pageCondition(plan)} … limit ${plan.take}`. */
export function pageCondition({ above, below }: PagePlan): Sql {
  return sql`id > ${above} and id < ${below}`
}

/** `order by id` in the direction of the plan. */
export function pageOrder({ ascending }: PagePlan): Sql {
  return ascending ? raw('order by id asc') : raw('order by id desc')
}
