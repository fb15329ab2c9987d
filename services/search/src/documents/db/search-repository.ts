import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Requirement } from '../domain/search-query.ts'
import { directEntries, hasFewTerms, matchesAll, partEntries, termEntries, termsOf } from './requirement-sql.ts'
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
  const found = sql`
    select * from (${entriesOf(search, first, types, limits)} offset 0) of where cardinality(ids) > 0`
  const matched = others.reduce((before, other) => matchingOf(scope, other, before), found)
  return await db.query<Tally>(sql`
    select type, direct, is_complete as "isComplete", cardinality(ids) as matches,
      case when is_complete then array(
        select id from unnest(ids) id
        where ${pageCondition(plan)} and id <> ${exactId ?? '0'} ${pageOrder(plan)} limit ${plan.take}
      )::text[] else '{}' end as page
    from (${matched}) of`)
}

/**
 * For each type: the documents among the entries of a requirement, the number of entries that were read without the entries of words
 * that contain a part, and whether they are all.
 *
 * The index of grams yields all words with a part together, so they are left out if so many entries are known that counting may
 * stop, and the newest documents suggest more matches than are counted.
 */
function entriesOf(
  { scope, totals }: DocumentSearch,
  requirement: Requirement,
  types: readonly SearchedRecord[],
  limits: EntryLimits,
): Sql {
  const { generation, storeId } = scope
  const direct = sql`
    select of.type, entries as direct, entries < ${limits.direct} as is_complete, ids from unnest(${types}::text[]) of (type)
    cross join lateral (${readEntries(directEntries(requirement, scope, limits.direct), sql`${limits.direct}`)}) entry`
  const { part, terms } = requirement
  if (part === undefined || terms !== undefined) return direct
  const total = [...totals.values()].reduce((sum, one) => sum + one, 0)
  const partLimit = sql`
    case when direct >= ${limits.ofPart} and (
      select count(*) filter (where type = of.type and strpos(words, ${part}) > 0)
      from ${newestDocuments(generation, storeId)} document
    ) >= ${(sampleSize * searchLimits.facetCount) / total}::float8
    then 0 else least(${limits.ofPart}, ${limits.all} - direct) end`
  return sql`
    select of.type, direct, is_complete and entries < part_limit as is_complete,
      case when entries = 0 then of.ids
        else (select ${distinctIds} from unnest(of.ids || entry.ids) id where id is not null) end as ids
    from (select *, ${partLimit} as part_limit from (${direct}) of offset 0) of
    cross join lateral (${readEntries(partEntries(part, scope, limits.ofPart), sql`part_limit`)}) entry`
}

function readEntries(entries: Sql, limit: Sql): Sql {
  return sql`
    select count(*)::int as entries, ${distinctIds} as ids from (select id from (${entries}) entry limit ${limit}) entry`
}

/** Sorts, which costs less than hashing: the entries of each term are in the order of their ids. */
const distinctIds = sql`coalesce(array_agg(distinct id), '{}')`

/** A sample of all types: by type, older documents of others would have to be skipped. */
function newestDocuments(generation: string, storeId: string): Sql {
  return sql`(
    select id, type, words, keys from ${documentTable(generation)}
    where store_id = ${storeId} and not deleted order by id desc limit ${sampleSize}
  )`
}

/**
 * The documents among the `ids` of each type that meet a further requirement: by the index if it is a few terms, otherwise by
 * their text. All ids are looked up together, so that neighbors share the pages of the index.
 */
function matchingOf(scope: SearchScope, requirement: Requirement, before: Sql): Sql {
  const { generation, storeId } = scope
  const byText = sql`
    select id from ${documentTable(generation)} document
    where store_id = ${storeId} and id = any(of.ids) and not deleted and ${matchesAll([requirement])}`
  const byTerms = sql`${termEntries(termsOf(requirement), scope)} and id = any(of.ids)`
  return sql`
    select type, direct, is_complete, (
      select ${distinctIds} from (${hasFewTerms(requirement) ? byTerms : byText}) matching
    ) as ids from (${before}) of offset 0`
}

/**
 * Finds the matches among the next `limit` documents that have a term of the first requirement, which has few. Such entries are in
 * the order of their ids, so these documents are neighbors.
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

/** How many of the newest documents estimate how frequent requirements are. */
export const sampleSize = 300

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
