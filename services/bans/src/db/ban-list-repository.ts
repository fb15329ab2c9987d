import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { BanFilter } from '../domain/ban-filter.ts'
import { identityColumns } from './identity-columns.ts'
import { type BanRow, banColumns } from './schema.ts'

/** Returns the rows of one page, in the scan order of the plan. */
export async function listBanRows(
  db: Queryable,
  storeId: string,
  filter: BanFilter,
  plan: PagePlan,
): Promise<BanRow[]> {
  return await db.query<BanRow>(sql`
    select ${banColumns} from ban
    where store_id = ${storeId} and ${pageCondition(plan)} ${identityCondition(storeId, filter, plan)} ${reasonCondition(filter)}
    ${pageOrder(plan)} limit ${plan.take}`)
}

/**
 * Without a reason filter the identity index alone yields the page. Repeating the order and limit in the subquery makes
 * the planner use it.
 */
function identityCondition(storeId: string, { identity, reasonSubstring }: BanFilter, plan: PagePlan): Sql {
  if (identity === undefined) return empty
  const pageLimit = reasonSubstring === undefined ? sql`${pageOrder(plan)} limit ${plan.take}` : empty
  return sql`and id in (
    select distinct ban_id as id from ban_identity
    where store_id = ${storeId} and ban_id > ${plan.above} and ban_id < ${plan.below} and ${matchesIdentity(identity)} ${pageLimit}
  )`
}

function matchesIdentity(identity: NonNullable<BanFilter['identity']>): Sql {
  if (typeof identity === 'string') return sql`type = ${identity}`
  const { types, values } = identityColumns(identity)
  return sql`(type, match_value) in (select * from unnest(${types}::text[], ${values}::text[]))`
}

function reasonCondition({ reasonSubstring }: BanFilter): Sql {
  return reasonSubstring === undefined ? empty : sql`and strpos(folded_reason, ${reasonSubstring}) > 0`
}
