import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { CustomerCriteria } from '../domain/customer-lookup.ts'
import { type CustomerSearch, hasIdCandidate } from '../domain/customer-search.ts'
import { type CustomerRow, customerColumns } from './schema.ts'

export interface CustomerFilter {
  storeId: string
  ids: readonly string[] | undefined
  search: CustomerSearch | undefined
}

/** Returns the rows of one page, in the scan order of the plan. */
export async function listCustomers(db: Queryable, filter: CustomerFilter, plan: PagePlan): Promise<CustomerRow[]> {
  const { search } = filter
  if (!search) return await db.query<CustomerRow>(pageOf(sql`customer`, filter, plan))
  const [byId, byName] = await Promise.all([
    searchById(db, filter, search, plan),
    searchByName(db, filter, search, plan),
  ])
  return merge(byId, byName, plan)
}

/** Returns the oldest customer that matches all criteria. A Minecraft name prefers verified customers to the claimed one. */
export async function findOldestCustomer(
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
  const verifiedFirst = foldedMinecraftName === undefined ? empty : sql`sign_in_key is not null,`
  const [row] = await db.query<CustomerRow>(sql`
    select ${customerColumns} from customer where ${join(conditions, ' and ')} order by ${verifiedFirst} id limit 1`)
  return row
}

/** How many customers to scan in list order before using an n-gram index. */
const scanLimit = 5000

/**
 * Searches names for a substring without reading a whole large store. Scanning the next customers of the list finds
 * frequent substrings; the n-gram index finds rare ones, with few rows left to sort.
 */
async function searchByName(
  db: Queryable,
  filter: CustomerFilter,
  search: CustomerSearch,
  plan: PagePlan,
): Promise<CustomerRow[]> {
  // Not `like`: the planner would use the trigram index, which is useless for short substrings.
  const inName = sql`and strpos(search_text, ${search.nameSubstring}) > 0`
  const near = sql`(
    select * from customer
    where store_id = ${filter.storeId} and ${pageCondition(plan)} ${idCondition(filter)}
    ${pageOrder(plan)} limit ${scanLimit}
  ) near`
  const found = await db.query<CustomerRow>(pageOf(near, filter, plan, inName))
  if (found.length >= plan.take || (await endsWithinScan(db, filter, plan))) return found
  const source = search.nameIndex === 'none' ? sql`customer` : indexMatches(filter, search)
  return await db.query<CustomerRow>(pageOf(source, filter, plan, inName))
}

/** Materialized, so the planner uses the index instead of scanning the list in order. */
function indexMatches({ storeId }: CustomerFilter, search: CustomerSearch): Sql {
  const indexed =
    search.nameIndex === 'trigrams'
      ? sql`search_text like ${`%${search.nameSubstring.replaceAll(/[\\%_]/g, '\\$&')}%`} and search_text <> ''`
      : sql`short_ngrams @> ${search.shortNgrams}::text[] and short_ngrams <> '{}'`
  return sql`(
    with matching as materialized (select * from customer where store_id = ${storeId} and ${indexed})
    select * from matching
  ) matching`
}

/** True when the list has no more than `scanLimit` customers. */
async function endsWithinScan(db: Queryable, filter: CustomerFilter, plan: PagePlan): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from customer
    where store_id = ${filter.storeId} and ${pageCondition(plan)} ${idCondition(filter)}
    ${pageOrder(plan)} offset ${scanLimit} limit 1`)
  return rows.length === 0
}

async function searchById(
  db: Queryable,
  filter: CustomerFilter,
  search: CustomerSearch,
  plan: PagePlan,
): Promise<CustomerRow[]> {
  if (!hasIdCandidate(search)) return []
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
    where store_id = ${filter.storeId} and ${pageCondition(plan)} ${idCondition(filter)} ${condition}
    ${pageOrder(plan)} limit ${plan.take}`
}

function idCondition({ ids }: CustomerFilter): Sql {
  return ids ? sql`and id = any(${ids}::bigint[])` : empty
}

/** Merges two result sets of the same page and drops duplicates. */
function merge(byId: CustomerRow[], byName: CustomerRow[], plan: PagePlan): CustomerRow[] {
  if (byId.length === 0) return byName
  const rows = new Map([...byId, ...byName].map((row) => [row.id, row]))
  const direction = plan.ascending ? 1 : -1
  return [...rows.values()].sort((a, b) => direction * compareIds(a.id, b.id)).slice(0, plan.take)
}

/** Ids have no leading zeros, so the longer one is greater. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}
