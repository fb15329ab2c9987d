import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Requirement } from '../domain/search-query.ts'
import { type EntryLimits, entriesOf, matchesAll, termsOf } from './requirement-sql.ts'
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
 * Reads index entries of the first requirement for each type up to the limits (if there are more requirements, up to
 * `direct` in all), and counts the documents among them that meet all. Types without entries are left out.
 */
export async function countMatches(
  db: Queryable,
  { scope, requirements, plan, exactId }: DocumentSearch,
  types: readonly SearchedRecord[],
  limits: EntryLimits,
): Promise<Tally[]> {
  const [first, ...others] = requirements
  const checks = others.map((other, position) => matchingOf(scope, other, position))
  const last = matched(others.length)
  const limit = others.length === 0 ? limits.direct + limits.ofPart : limits.direct
  return await db.query<Tally>(sql`
    select of.type, matched_0.direct, matched_0.is_complete as "isComplete", cardinality(${last}) as matches,
      case when matched_0.is_complete then array(
        select id from unnest(${last}) id
        where ${pageCondition(plan)} and id <> ${exactId ?? '0'} ${pageOrder(plan)} limit ${plan.take}
      )::text[] else '{}' end as page
    from unnest(${types}::text[]) of (type)
    cross join lateral (
      select (count(*) filter (where not is_part))::int as direct, coalesce(array_agg(distinct id), '{}') as ids,
        count(*) < ${limit} and count(*) filter (where not is_part) < ${limits.direct}
          and count(*) filter (where is_part) < ${limits.ofPart} as is_complete
      from (select * from (${entriesOf(first, scope, limits)}) found (id, is_part) limit ${limit}) entry
    ) matched_0
    ${checks.length === 0 ? empty : join(checks, ' ')}
    where cardinality(matched_0.ids) > 0`)
}

/**
 * The documents among `matched_<position>` that meet a further requirement: by the index if it is a few terms, otherwise
 * by their text. All ids are looked up at once, so that neighbours share the pages of the index; `offset 0` keeps the
 * planner from doing so twice.
 */
function matchingOf(scope: SearchScope, requirement: Requirement, position: number): Sql {
  const { generation, storeId } = scope
  const byText = sql`
    select id from ${documentTable(generation)} document
    where store_id = ${storeId} and id = any(${matched(position)}) and not deleted and ${matchesAll([requirement])}`
  const byTerms = sql`
    select distinct id from ${postingTable(generation)} posting
    where store_id = ${storeId} and posting.type = of.type and term = any(${termsOf(requirement)})
      and id = any(${matched(position)})`
  const isFewTerms =
    requirement.id === undefined && (requirement.terms !== undefined || requirement.start === undefined)
  return sql`
    cross join lateral (
      select array(${isFewTerms ? byTerms : byText}) as ids offset 0
    ) ${raw(`matched_${position + 1}`)}`
}

function matched(position: number): Sql {
  return raw(`matched_${position}.ids`)
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

/** The documents of a type among the index entries that were read. */
export interface Tally {
  type: SearchedRecord
  /** How many index entries were read, without those of words that contain a part. */
  direct: number
  /** Whether all index entries were read. */
  isComplete: boolean
  /** The number of documents that match. */
  matches: number
  /** The ids of the page among them if they are complete, otherwise none. */
  page: string[]
}

const windowSize = 40_000
