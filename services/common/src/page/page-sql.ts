import sql, { raw, type Sql } from 'sql-template-tag'
import type { PagePlan } from './page.ts'

/** The part of a `where` that keeps to the page. Read `plan.take` rows: `… where store_id = … and ${pageCondition(plan)} …` */
export function pageCondition({ above, below }: PagePlan): Sql {
  return sql`id > ${above} and id < ${below}`
}

/** `order by id`, the way in which the plan reads. */
export function pageOrder({ ascending }: PagePlan): Sql {
  return ascending ? raw('order by id asc') : raw('order by id desc')
}
