import type { PagePlan } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { BanFilter } from '../domain/ban-filter.ts'
import { banColumns } from './ban-columns.ts'
import { identityArrays } from './identity-arrays.ts'
import type { BanRow } from './schema.ts'

/** The rows of one page, in the order in which the plan reads. */
export async function selectBans(db: Queryable, storeId: string, filter: BanFilter, plan: PagePlan): Promise<BanRow[]> {
  return await db.query<BanRow>(sql`
    select ${banColumns} from ban ${named(storeId, filter, plan)}
    where ban.store_id = ${storeId} and ban.id > ${plan.above} and ban.id < ${plan.below} ${withReason(filter)}
    order by ban.id ${direction(plan)} limit ${plan.take}`)
}

/**
 * Leaves the bans with the identity. With no other filter the indexes have just those of the page, in its order, which
 * the planner has to be told.
 */
function named(storeId: string, { identity, partOfReason }: BanFilter, plan: PagePlan): Sql {
  if (identity === undefined) return empty
  const ofPage = partOfReason === undefined ? sql`order by ban_id ${direction(plan)} limit ${plan.take}` : empty
  return sql`join (
    select distinct ban_id from ban_identity
    where store_id = ${storeId} and ban_id > ${plan.above} and ban_id < ${plan.below} and ${fits(identity)} ${ofPage}
  ) named on named.ban_id = ban.id`
}

function fits(identity: NonNullable<BanFilter['identity']>): Sql {
  if (typeof identity === 'string') return sql`type = ${identity}`
  const { types, values } = identityArrays(identity)
  return sql`(type, match_value) in (select * from unnest(${types}::text[], ${values}::text[]))`
}

function withReason({ partOfReason }: BanFilter): Sql {
  if (partOfReason === undefined) return empty
  return sql`and folded_reason like ${`%${partOfReason.replaceAll(/[\\%_]/g, '\\$&')}%`}`
}

function direction({ ascending }: PagePlan): Sql {
  return raw(ascending ? 'asc' : 'desc')
}
