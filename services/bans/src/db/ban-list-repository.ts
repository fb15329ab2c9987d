import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { BanFilter } from '../domain/ban-filter.ts'
import { identityArrays } from './identity-arrays.ts'
import { type BanRow, banColumns } from './schema.ts'

/** The rows of one page, in the order in which the plan reads. */
export async function selectBans(db: Queryable, storeId: string, filter: BanFilter, plan: PagePlan): Promise<BanRow[]> {
  return await db.query<BanRow>(sql`
    select ${banColumns} from ban
    where store_id = ${storeId} and ${pageCondition(plan)} ${withIdentity(storeId, filter, plan)} ${withReason(filter)}
    ${pageOrder(plan)} limit ${plan.take}`)
}

/** With no other filter the index has just the bans of the page, in its order, which the planner has to be told. */
function withIdentity(storeId: string, { identity, partOfReason }: BanFilter, plan: PagePlan): Sql {
  if (identity === undefined) return empty
  const ofPage = partOfReason === undefined ? sql`${pageOrder(plan)} limit ${plan.take}` : empty
  return sql`and id in (
    select distinct ban_id as id from ban_identity
    where store_id = ${storeId} and ban_id > ${plan.above} and ban_id < ${plan.below} and ${fits(identity)} ${ofPage}
  )`
}

function fits(identity: NonNullable<BanFilter['identity']>): Sql {
  if (typeof identity === 'string') return sql`type = ${identity}`
  const { types, values } = identityArrays(identity)
  return sql`(type, match_value) in (select * from unnest(${types}::text[], ${values}::text[]))`
}

function withReason({ partOfReason }: BanFilter): Sql {
  return partOfReason === undefined ? empty : sql`and strpos(folded_reason, ${partOfReason}) > 0`
}
