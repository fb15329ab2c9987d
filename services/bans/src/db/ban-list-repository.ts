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
    select ${banColumns} from ban
    where store_id = ${storeId} and id > ${plan.above} and id < ${plan.below}
      ${withIdentity(storeId, filter)} ${withReason(filter)}
    order by id ${raw(plan.ascending ? 'asc' : 'desc')} limit ${plan.take}`)
}

function withIdentity(storeId: string, { identity }: BanFilter): Sql {
  if (identity === undefined) return empty
  if (typeof identity === 'string') {
    return sql`and id in (select ban_id from ban_identity where store_id = ${storeId} and type = ${identity})`
  }
  const { types, values } = identityArrays(identity)
  return sql`and id in (
    select ban_id from ban_identity
    join unnest(${types}::text[], ${values}::text[]) as asked (type, match_value) using (type, match_value)
    where store_id = ${storeId}
  )`
}

function withReason({ partOfReason }: BanFilter): Sql {
  if (partOfReason === undefined) return empty
  return sql`and folded_reason like ${`%${partOfReason.replaceAll(/[\\%_]/g, '\\$&')}%`}`
}
