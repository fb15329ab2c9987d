import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Requirement } from '../domain/search-query.ts'
import { type EntryLimits, entriesOf, matchesAll } from './requirement-sql.ts'
import type { LiveDocument } from './schema.ts'
import { documentTable, postingTable } from './table-names.ts'

/** One store in one generation, with results of one type or of all. */
export interface SearchScope {
  generation: string
  storeId: string
  type: SearchedRecord | undefined
}

/** What to read: the requirements, their least frequent first, and the page. */
export interface DocumentSearch {
  scope: SearchScope
  requirements: readonly [Requirement, ...Requirement[]]
  plan: PagePlan
  /** The document with this id is not among the rows of the page. */
  exactId: string | undefined
}

/** One page of all documents, in the order in which the plan reads. */
export async function selectDocuments(db: Queryable, scope: SearchScope, plan: PagePlan): Promise<LiveDocument[]> {
  return await db.query<LiveDocument>(sql`
    select id, type, record from ${documentTable(scope.generation)}
    where ${inScope(scope)} and ${pageCondition(plan)} ${pageOrder(plan)} limit ${plan.take}`)
}

/** The document with the id, if it matches. */
export async function selectExact(
  db: Queryable,
  { scope, requirements, exactId }: DocumentSearch,
): Promise<LiveDocument | undefined> {
  if (exactId === undefined) return undefined
  const [row] = await db.query<LiveDocument>(sql`
    select id, type, record from ${documentTable(scope.generation)} document
    where ${inScope(scope)} and id = ${exactId} and ${matchesAll(requirements)}`)
  return row
}

/** The number of documents of the store by type. */
export async function countDocuments(
  db: Queryable,
  { generation, storeId }: Pick<SearchScope, 'generation' | 'storeId'>,
): Promise<Map<SearchedRecord, number>> {
  const rows = await db.query<{ type: SearchedRecord; count: string }>(sql`
    select type, sum(count)::bigint as count from document_count
    where generation = ${generation} and store_id = ${storeId} group by type having sum(count) > 0`)
  return new Map(rows.map(({ type, count }) => [type, Number(count)]))
}

/**
 * Reads index entries of the first requirement for each type up to the limits, and counts the documents among them
 * that meet all requirements. Types without entries are left out.
 */
export async function countMatches(
  db: Queryable,
  { scope, requirements, plan, exactId }: DocumentSearch,
  types: readonly SearchedRecord[],
  limits: EntryLimits,
): Promise<Tally[]> {
  const [first, ...others] = requirements
  const joins = others.map((other, position) => joinMet(scope, other, position))
  const isMet = others.map((_, position) => sql`${metAlias(position)}.yes`)
  const ifMet = others.length === 0 ? empty : sql`filter (where ${join(isMet, ' and ')})`
  return await db.query<Tally>(sql`
    select of.type, counted.direct, counted.of_part as "ofPart", coalesce(cardinality(counted.ids), 0) as matches,
      array(
        select id from unnest(counted.ids) id
        where ${pageCondition(plan)} and id <> ${exactId ?? '0'} ${pageOrder(plan)} limit ${plan.take}
      )::text[] as page
    from unnest(${types}::text[]) of (type)
    cross join lateral (
      select (count(*) filter (where not entry.is_part))::int as direct,
        (count(*) filter (where entry.is_part))::int as of_part, array_agg(distinct entry.id) ${ifMet} as ids
      from (${entriesOf(first, scope, limits)}) entry (id, is_part) ${others.length === 0 ? empty : join(joins, ' ')}
    ) counted
    where counted.direct + counted.of_part > 0`)
}

/**
 * Whether the document of `entry.id` meets the requirement: by the index if it is a few terms, otherwise by its text.
 * `limit` and `offset 0` keep the planner from reading all documents of the store instead.
 */
function joinMet({ generation, storeId }: SearchScope, requirement: Requirement, position: number): Sql {
  const { start, terms = start === undefined ? [] : undefined, words, keys, id } = requirement
  const byText = sql`
    select true as yes from ${documentTable(generation)} document
    where store_id = ${storeId} and id = entry.id and not deleted and ${matchesAll([requirement])} offset 0`
  const byTerms = sql`
    select true as yes from ${postingTable(generation)} posting
    where store_id = ${storeId} and posting.type = of.type and posting.id = entry.id and term = any(
      array(select unnest(${[...(terms ?? []), ...words]}::text[]) union all select '#' || to_hex(unnest(${keys}::bigint[])))
    ) limit 1`
  return sql`left join lateral (${terms && id === undefined ? byTerms : byText}) ${metAlias(position)} on true`
}

function metAlias(position: number): Sql {
  return raw(`met_${position}`)
}

/** The documents with these ids, in the order of the plan. */
export async function selectByIds(
  db: Queryable,
  { scope, plan }: DocumentSearch,
  ids: readonly string[],
): Promise<LiveDocument[]> {
  return await db.query<LiveDocument>(sql`
    select id, type, record from ${documentTable(scope.generation)}
    where ${inScope(scope)} and id = any(${ids}::bigint[]) ${pageOrder(plan)} limit ${plan.take}`)
}

/**
 * Reads the page of a type with many matches from the next `windowSize` documents, without looking at the index: the
 * more frequent the matches, the sooner it ends. The page can be incomplete.
 */
export async function selectFrequent(
  db: Queryable,
  { scope, requirements, plan, exactId }: DocumentSearch,
  type: SearchedRecord,
): Promise<LiveDocument[]> {
  const table = documentTable(scope.generation)
  const ofType = inScope({ ...scope, type })
  return await db.query<LiveDocument>(sql`
    select id, type, record from ${table} where ${ofType} and id in (
      select id from (
        select id, type, words, keys from ${table}
        where ${ofType} and ${pageCondition(plan)} and id <> ${exactId ?? '0'} ${pageOrder(plan)} limit ${windowSize}
      ) document
      where ${matchesAll(requirements)} ${pageOrder(plan)} limit ${plan.take}
    ) ${pageOrder(plan)}`)
}

/**
 * Estimates how frequent each requirement is: its index entries up to `limit` per type, parts apart, and how many of the
 * newest documents meet it.
 */
export async function estimateFrequencies(
  db: Queryable,
  scope: SearchScope,
  requirements: readonly Requirement[],
  types: readonly SearchedRecord[],
  limit: number,
): Promise<{ entries: number; recent: number }[]> {
  const parts = requirements.map(({ part: _, ...requirement }, position) => {
    const matches = matchesAll([requirements[position] ?? requirement])
    return sql`
      select ${position}::int as position, (
        select count(*) from unnest(${types}::text[]) of (type)
        cross join lateral (${entriesOf(requirement, scope, { direct: limit, ofPart: 0 })}) entry
      )::int as entries, (
        select count(*) from (
          select id, type, words, keys from ${documentTable(scope.generation)}
          where store_id = ${scope.storeId} and not deleted order by id desc limit ${sampleSize}
        ) document where ${matches}
      )::int as recent`
  })
  return await db.query(sql`${join(parts, ' union all ')} order by position`)
}

const sampleSize = 300

function inScope({ storeId, type }: SearchScope): Sql {
  return sql`store_id = ${storeId} and not deleted ${type === undefined ? empty : sql`and type = ${type}`}`
}

/** How many index entries of a type were read, and the documents among them. */
export interface Tally extends EntryLimits {
  type: SearchedRecord
  /** The number of documents that match. */
  matches: number
  /** The ids of the page among them. */
  page: string[]
}

const windowSize = 40_000
