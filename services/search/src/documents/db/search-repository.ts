import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Requirement } from '../domain/search-query.ts'
import { directEntries, hasFewTerms, matchesAll, partEntries, termsOf } from './requirement-sql.ts'
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
  /** The number of documents of each type. */
  totals: ReadonlyMap<SearchedRecord, number>
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

/** How many index entries to read for a type. */
export interface EntryLimits {
  direct: number
  /** Of words that contain a part. */
  ofPart: number
  /** Of both. */
  all: number
}

/**
 * Reads index entries of the first requirement for each type up to the limits, and counts the documents among them that meet
 * all requirements. Types without entries are left out.
 */
export async function countMatches(
  db: Queryable,
  search: DocumentSearch,
  types: readonly SearchedRecord[],
  limits: EntryLimits,
): Promise<Tally[]> {
  const { scope, requirements, plan, exactId } = search
  const [first, ...others] = requirements
  const { part } = first.terms === undefined ? first : {}
  const checks = others.map((other, position) => matchingOf(scope, other, position))
  const last = matched(others.length)
  return await db.query<Tally>(sql`
    select of.type, cardinality(direct.ids) as direct, is_complete as "isComplete", cardinality(${last}) as matches,
      case when is_complete then array(
        select id from unnest(${last}) id
        where ${pageCondition(plan)} and id <> ${exactId ?? '0'} ${pageOrder(plan)} limit ${plan.take}
      )::text[] else '{}' end as page
    from unnest(${types}::text[]) of (type)
    cross join lateral (
      select array(select id from (${directEntries(first, scope, limits.direct)}) entry limit ${limits.direct}) as ids offset 0
    ) direct
    ${part === undefined ? sql`cross join (select 1 as part_limit, '{}'::bigint[] as ids) part` : ofPart(search, part, limits)}
    cross join lateral (
      select array(select distinct unnest(direct.ids || part.ids)) as ids,
        cardinality(direct.ids) < ${limits.direct} and cardinality(part.ids) < part_limit as is_complete offset 0
    ) matched_0
    ${checks.length === 0 ? empty : join(checks, ' ')}
    where cardinality(matched_0.ids) > 0`)
}

/**
 * The entries of words that contain a part. The index of grams yields all these words at once, so they are left out if so many
 * entries are known that counting may stop, and the newest documents suggest more matches than are counted.
 */
function ofPart({ scope, totals }: DocumentSearch, part: string, limits: EntryLimits): Sql {
  const { generation, storeId } = scope
  const total = [...totals.values()].reduce((sum, one) => sum + one, 0)
  return sql`
    cross join lateral (
      select case when cardinality(direct.ids) >= ${limits.ofPart} and (
        select count(*) filter (where type = of.type and strpos(words, ${part}) > 0)
        from ${newestDocuments(generation, storeId)} document
      ) >= ${(sampleSize * searchLimits.facetCount) / total}::float8
      then 0 else least(${limits.ofPart}, ${limits.all} - cardinality(direct.ids)) end as part_limit offset 0
    ) part_size
    cross join lateral (
      select array(${partEntries(part, scope, limits.ofPart)} limit part_limit) as ids offset 0
    ) part`
}

/** A sample of all types: by type, older documents of others would have to be skipped. */
function newestDocuments(generation: string, storeId: string): Sql {
  return sql`(
    select id, type, words, keys from ${documentTable(generation)}
    where store_id = ${storeId} and not deleted order by id desc limit ${sampleSize}
  )`
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
  return sql`
    cross join lateral (
      select array(${hasFewTerms(requirement) ? byTerms : byText}) as ids offset 0
    ) ${raw(`matched_${position + 1}`)}`
}

function matched(position: number): Sql {
  return raw(`matched_${position}.ids`)
}

/**
 * Finds the matches among the next `limit` documents that have a term of the first requirement, which has few. Such entries are in
 * the order of their ids, so these documents are neighbours.
 * @returns their number, and the ids of the page
 */
export async function findNextMatches(
  db: Queryable,
  { scope, requirements: [first, ...others], plan, exactId }: DocumentSearch,
  type: SearchedRecord,
  limit: number,
): Promise<{ matches: number; page: string[] }> {
  const { generation, storeId } = scope
  const [found] = await db.query<{ matches: number; page: string[] }>(sql`
    select cardinality(ids) as matches, ids[1:${plan.take}::int]::text[] as page from (
      select array(
        select id from ${documentTable(generation)} document
        where store_id = ${storeId} and not deleted and id = any(array(
          select id from unnest(${termsOf(first)}) of (term) cross join lateral (
            select id from ${postingTable(generation)} posting
            where store_id = ${storeId} and type = ${type} and posting.term = of.term
              and ${pageCondition(plan)} and id <> ${exactId ?? '0'}
            ${pageOrder(plan)} limit ${limit}
          ) entry
          ${pageOrder(plan)} limit ${limit}
        )) and ${matchesAll(others)} ${pageOrder(plan)}
      ) as ids offset 0
    ) found`)
  return found ?? { matches: 0, page: [] }
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
 * Estimates how frequent each requirement is: its index entries by type up to `limit`, parts apart, and how many of the newest
 * documents meet it.
 */
export async function estimateFrequencies(
  db: Queryable,
  scope: SearchScope,
  requirements: readonly Requirement[],
  types: readonly SearchedRecord[],
  limit: number,
): Promise<Frequency[]> {
  const estimates = requirements.map((requirement, position) => {
    const entries = directEntries(requirement, scope, limit)
    return sql`
      select ${position}::int as position, array(
        select (select count(*) from (${entries}) entry)::int from unnest(${types}::text[]) of (type)
      ) as entries, recent[${position + 1}::int] as recent from sample`
  })
  const recent = requirements.map((requirement) => sql`(count(*) filter (where ${matchesAll([requirement])}))::int`)
  return await db.query(sql`
    with sample as materialized (
      select array[${join(recent)}] as recent from ${newestDocuments(scope.generation, scope.storeId)} document
    )
    ${join(estimates, ' union all ')} order by position`)
}

/** Of a requirement. */
export interface Frequency {
  /** Index entries of each type. */
  entries: number[]
  /** Matches among the newest documents. */
  recent: number
}

const sampleSize = 300

function inScope({ storeId, type }: SearchScope): Sql {
  return sql`store_id = ${storeId} and not deleted ${type === undefined ? empty : sql`and type = ${type}`}`
}

/** The documents of a type among the index entries that were read. */
export interface Tally {
  type: SearchedRecord
  /** How many index entries were read, parts of words apart. */
  direct: number
  /** Whether all index entries were read. */
  isComplete: boolean
  /** The number of documents that match. */
  matches: number
  /** The ids of the page among them if they are complete, otherwise none. */
  page: string[]
}

const windowSize = 40_000

/** A limit that is never reached. */
export const allEntries = 2 ** 31 - 1
