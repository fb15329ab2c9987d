import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { CustomerCriteria } from '../domain/customer-lookup.ts'
import { type CustomerSearch, mayBeId } from '../domain/customer-search.ts'
import { type CustomerRow, customerColumns } from './schema.ts'

/** Which customers of a store are listed. */
export interface CustomerFilter {
  storeId: string
  ids: readonly string[] | undefined
  search: CustomerSearch | undefined
}

/** The rows of one page, in the order in which the plan reads. */
export async function listCustomers(db: Queryable, filter: CustomerFilter, plan: PagePlan): Promise<CustomerRow[]> {
  const { search } = filter
  if (!search) return await db.query<CustomerRow>(pageOf(sql`customer`, filter, plan))
  const [byId, byName] = await Promise.all([
    searchById(db, filter, search, plan),
    searchByName(db, filter, search, plan),
  ])
  return merge(byId, byName, plan)
}

/** The oldest customer that meets all criteria. */
export async function findFirstCustomer(
  db: Queryable,
  storeId: string,
  criteria: CustomerCriteria,
): Promise<CustomerRow | undefined> {
  const { id, steamId, minecraftUuid, xboxXuid, foldedName, foldedMinecraftName, minecraftPlatform } = criteria
  const conditions = [
    sql`store_id = ${storeId}`,
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(steamId === undefined ? [] : [sql`steam_id = ${steamId}`]),
    ...(minecraftUuid === undefined ? [] : [sql`minecraft_uuid = ${minecraftUuid}`]),
    ...(xboxXuid === undefined ? [] : [sql`xbox_xuid = ${xboxXuid}`]),
    ...(foldedName === undefined ? [] : [sql`folded_name = ${foldedName}`]),
    ...(foldedMinecraftName === undefined ? [] : [sql`folded_minecraft_name = ${foldedMinecraftName}`]),
    ...(minecraftPlatform === undefined ? [] : [sql`minecraft_platform = ${minecraftPlatform}`]),
  ]
  const [row] = await db.query<CustomerRow>(
    sql`select ${customerColumns} from customer where ${join(conditions, ' and ')} order by id limit 1`,
  )
  return row
}

/** How many customers are looked at in the order of the list before an index of name parts is asked. */
const nearby = 5000

/**
 * Customers with the text inside a name. A frequent text is found among the nearest customers of the list; only one
 * that is not goes to an index of name parts, which then has few to sort. So neither kind reads a whole large store.
 */
async function searchByName(
  db: Queryable,
  filter: CustomerFilter,
  search: CustomerSearch,
  plan: PagePlan,
): Promise<CustomerRow[]> {
  // Not `like`, for which the planner would take an index that is of no use for short texts.
  const inName = sql`and strpos(search_text, ${search.partOfName}) > 0`
  const near = sql`(
    select * from customer
    where store_id = ${filter.storeId} and ${pageCondition(plan)} ${amongIds(filter)}
    ${pageOrder(plan)} limit ${nearby}
  ) near`
  const found = await db.query<CustomerRow>(pageOf(near, filter, plan, inName))
  if (found.length >= plan.take || (await isShorter(db, filter, plan))) return found
  const source = search.nameIndex === 'none' ? sql`customer` : matching(filter, search)
  return await db.query<CustomerRow>(pageOf(source, filter, plan, inName))
}

/** Materialized, so that the planner uses the index and does not walk the whole list in its order instead. */
function matching({ storeId }: CustomerFilter, search: CustomerSearch): Sql {
  const indexed =
    search.nameIndex === 'letters'
      ? sql`search_text like ${`%${search.partOfName.replaceAll(/[\\%_]/g, '\\$&')}%`} and search_text <> ''`
      : sql`uncommon_parts @> ${search.uncommonParts}::text[] and uncommon_parts <> '{}'`
  return sql`(
    with matching as materialized (select * from customer where store_id = ${storeId} and ${indexed})
    select * from matching
  ) matching`
}

/** True when the list ends before `nearby` customers. */
async function isShorter(db: Queryable, filter: CustomerFilter, plan: PagePlan): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from customer
    where store_id = ${filter.storeId} and ${pageCondition(plan)} ${amongIds(filter)}
    ${pageOrder(plan)} offset ${nearby} limit 1`)
  return rows.length === 0
}

async function searchById(
  db: Queryable,
  filter: CustomerFilter,
  search: CustomerSearch,
  plan: PagePlan,
): Promise<CustomerRow[]> {
  if (!mayBeId(search)) return []
  const { id = null, steamId = null, minecraftUuid = null, xboxXuid = null } = search
  return await db.query<CustomerRow>(
    pageOf(
      sql`customer`,
      filter,
      plan,
      sql`and (id = ${id} or steam_id = ${steamId} or minecraft_uuid = ${minecraftUuid} or xbox_xuid = ${xboxXuid})`,
    ),
  )
}

function pageOf(source: Sql, filter: CustomerFilter, plan: PagePlan, condition: Sql = empty): Sql {
  return sql`
    select ${customerColumns} from ${source}
    where store_id = ${filter.storeId} and ${pageCondition(plan)} ${amongIds(filter)} ${condition}
    ${pageOrder(plan)} limit ${plan.take}`
}

function amongIds({ ids }: CustomerFilter): Sql {
  return ids ? sql`and id = any(${ids}::bigint[])` : empty
}

/** Both are parts of the same page; a customer found both ways is one. */
function merge(byId: CustomerRow[], byName: CustomerRow[], plan: PagePlan): CustomerRow[] {
  if (byId.length === 0) return byName
  const rows = new Map([...byId, ...byName].map((row) => [row.id, row]))
  const way = plan.ascending ? 1 : -1
  return [...rows.values()].sort((a, b) => way * compareIds(a.id, b.id)).slice(0, plan.take)
}

/** Ids have no leading zeros: the longer one is the greater. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}
