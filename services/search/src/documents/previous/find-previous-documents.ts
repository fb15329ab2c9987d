import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import { type SearchedRecord, searchedRecords } from '@storekeep/proto/conventions/searched-records'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { LiveDocument } from '../db/schema.ts'
import type { SearchScope } from '../db/search-repository.ts'
import { documentTable } from '../db/table-names.ts'
import type { SearchQuery } from '../domain/search-query.ts'
import { type PreviousQuery, previousQuery, type QueryWord } from './previous-keys.ts'

export interface FoundDocuments {
  /** The rows of the page, in the order in which the plan reads. */
  rows: LiveDocument[]
  /** The document whose id equals the query, if it matches. It is not among the rows. */
  exact: LiveDocument | undefined
  /** Matches by type, counted up to one above `facetCount`. */
  counts: Map<string, number>
  /** None: matches are counted up to one above `facetCount`. */
  partial: readonly string[]
}

/**
 * Finds the documents that match the query. The key index yields up to `facetCount` matches of each type, to be counted
 * and cut to the page. If a type has more, the page is read separately.
 */
export async function findPreviousDocuments(
  db: Queryable,
  scope: SearchScope,
  { exactId, ...given }: SearchQuery,
  plan: PagePlan,
): Promise<FoundDocuments> {
  const query = previousQuery(scope.storeId, given)
  const { counts, documents } = await findMatches(db, scope, query, plan, exactId ?? '0')
  const types = scope.type ? [scope.type] : searchedRecords
  const isComplete = types.every((type) => (counts.get(type) ?? 0) <= facetCount)
  const found = isComplete ? documents : await selectFrequentMatches(db, scope, query, plan, exactId ?? '0')
  return {
    rows: found.filter(({ id }) => id !== exactId),
    exact: found.find(({ id }) => id === exactId),
    counts,
    partial: [],
  }
}

/**
 * Counts the matches by type, up to one above `facetCount`, and reads the page from them. They are materialized so that
 * the planner does not scan the whole store in the order of the page instead.
 */
async function findMatches(
  db: Queryable,
  { generation, storeId, type }: SearchScope,
  query: PreviousQuery,
  plan: PagePlan,
  exact: string,
): Promise<{ counts: Map<string, number>; documents: LiveDocument[] }> {
  const table = documentTable(generation)
  const hits = searchedRecords.map(
    (one) => sql`(
      select id, type from ${table}
      where ${inScope({ generation, storeId, type: one })} and ${matches(query, one)} limit ${facetCount + 1}
    )`,
  )
  const ofType = type === undefined ? empty : sql`and type = ${type}`
  const rows = await db.query<FoundRow>(sql`
    with hit as materialized (${join(hits, ' union all ')}), page as (
      select id from hit where ${pageCondition(plan)} and id <> ${exact} ${ofType}
      ${pageOrder(plan)} limit ${plan.take}
    ), chosen as (
      select id from page union all select id from hit where id = ${exact} ${ofType}
    )
    select counts.counts, document.id, document.type, document.record
    from (
      select coalesce(json_object_agg(type, count), '{}') as counts
      from (select type, count(*) as count from hit group by type) by_type
    ) counts
    left join (
      select id, type, record from ${table} where store_id = ${storeId} and id in (select id from chosen)
    ) document on true
    ${pageOrder(plan)}`)
  return {
    counts: new Map(Object.entries(rows[0]?.counts ?? {})),
    documents: rows.filter((row): row is FoundRow & LiveDocument => row.id !== null),
  }
}

/**
 * Reads a page of more matches than are counted, and the exact match. Such matches are usually frequent enough to fill
 * the page from the next `windowSize` documents; otherwise all matches are read.
 */
async function selectFrequentMatches(
  db: Queryable,
  scope: SearchScope,
  query: PreviousQuery,
  plan: PagePlan,
  exact: string,
): Promise<LiveDocument[]> {
  const table = documentTable(scope.generation)
  const select = sql`select id, type, record from ${table} where ${inScope(scope)}`
  const following = sql`${inScope(scope)} and ${pageCondition(plan)} and id <> ${exact}`
  const [exactRows, rows] = await Promise.all([
    db.query<LiveDocument>(sql`${select} and id = ${exact} and ${matches(query)}`),
    db.query<LiveDocument>(sql`
      ${select} and id in (
        select id from (
          select id, words, keys from ${table} where ${following} ${pageOrder(plan)} limit ${windowSize}
        ) following where ${matches(query)} ${pageOrder(plan)} limit ${plan.take}
      ) ${pageOrder(plan)}`),
  ])
  if (rows.length === plan.take) return [...exactRows, ...rows]
  const all = await db.query<LiveDocument>(sql`
    with hit as materialized (select id from ${table} where ${following} and ${matches(query)})
    ${select} and id in (select id from hit ${pageOrder(plan)} limit ${plan.take}) ${pageOrder(plan)}`)
  return [...exactRows, ...all]
}

const { facetCount } = searchLimits
const windowSize = 10_000

function inScope({ storeId, type }: SearchScope): Sql {
  return sql`store_id = ${storeId} and not deleted ${type === undefined ? empty : sql`and type = ${type}`}`
}

/** The condition of the query; with a type also its key, so that the key index finds the documents of that type alone. */
function matches({ required, words, typeKeys }: PreviousQuery, type?: SearchedRecord): Sql {
  const typeKey = type === undefined ? [] : [typeKeys[type]]
  const keys = [...required, ...typeKey]
  const conditions = keys.length > 0 ? [sql`keys @> ${keys}::bigint[]`] : []
  // In a fixed order, so that few statements differ in their text.
  const sorted = words.toSorted((a, b) => a.parts.length - b.parts.length)
  return join([...conditions, ...sorted.map((word) => matchesWord(word, typeKey))], ' and ')
}

/** The text is compared in a separate condition, so that the index alone decides about the keys. */
function matchesWord({ word, parts, alternatives }: QueryWord, typeKey: readonly string[]): Sql {
  const hasAlternative = sql`keys && ${alternatives}::bigint[]`
  if (parts.length === 0) return hasAlternative
  const ofType = typeKey.length > 0 ? sql`and keys @> ${typeKey}::bigint[]` : empty
  return sql`(keys @> ${[...parts, ...typeKey]}::bigint[] or (${hasAlternative} ${ofType}))
    and (strpos(words, ${word}) > 0 or ${hasAlternative})`
}

interface FoundRow {
  counts: Record<string, number>
  id: string | null
  type: string | null
  record: Buffer | null
}
