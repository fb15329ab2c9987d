import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { QueryWord, SearchQuery } from '../domain/search-query.ts'
import { documentTable } from './document-table.ts'
import type { LiveDocument } from './schema.ts'

/** What a search may see: one store in one generation, and of it the results of one type or of all. */
export interface SearchScope {
  generation: string
  storeId: string
  type: string | undefined
}

export interface FoundDocuments {
  /** Of the page, in the order in which the plan reads. */
  rows: LiveDocument[]
  /** The document whose id was asked for, unless it does not fit. It is not among the rows. */
  exact: LiveDocument | undefined
  /** How many documents of each type fit. */
  counts: Map<string, number>
}

/**
 * Documents that fit the query. All that fit are found by the index of keys, once, to be counted and cut to the page;
 * materialized, so that the planner never walks a whole store in the order of the page instead.
 */
export async function findDocuments(
  db: Queryable,
  { generation, storeId, type }: SearchScope,
  query: SearchQuery,
  plan: PagePlan,
  exactId: string | undefined,
): Promise<FoundDocuments> {
  const table = documentTable(generation)
  const exact = exactId ?? '0'
  const rows = await db.query<FoundRow>(sql`
    with hit as materialized (
      select id, type from ${table} where store_id = ${storeId} and not deleted and ${fits(query)}
    ), page as (
      select id from hit where ${pageCondition(plan)} and id <> ${exact} ${ofType(type)}
      ${pageOrder(plan)} limit ${plan.take}
    ), chosen as (
      select id from page union all select id from hit where id = ${exact} ${ofType(type)}
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
  const found = rows.filter((row): row is FoundRow & LiveDocument => row.id !== null)
  return {
    rows: found.filter(({ id }) => id !== exactId),
    exact: found.find(({ id }) => id === exactId),
    counts: new Map(Object.entries(rows[0]?.counts ?? {})),
  }
}

/** One page of all documents, in the order in which the plan reads. */
export async function selectDocuments(
  db: Queryable,
  { generation, storeId, type }: SearchScope,
  plan: PagePlan,
): Promise<LiveDocument[]> {
  return await db.query<LiveDocument>(sql`
    select id, type, record from ${documentTable(generation)}
    where store_id = ${storeId} and not deleted and ${pageCondition(plan)} ${ofType(type)}
    ${pageOrder(plan)} limit ${plan.take}`)
}

function ofType(type: string | undefined): Sql {
  return type === undefined ? empty : sql`and type = ${type}`
}

function fits({ required, words }: SearchQuery): Sql {
  const all = required.length > 0 ? [sql`keys @> ${required}::bigint[]`] : []
  // In one order, so that few statements differ in their text.
  const sorted = words.toSorted((a, b) => a.parts.length - b.parts.length)
  return join([...all, ...sorted.map(hasWord)], ' and ')
}

function hasWord({ word, parts, alternatives }: QueryWord): Sql {
  const otherwise = sql`keys && ${alternatives}::bigint[]`
  if (parts.length === 0) return otherwise
  return sql`((keys @> ${parts}::bigint[] and strpos(words, ${word}) > 0) or ${otherwise})`
}

interface FoundRow {
  counts: Record<string, number>
  id: string | null
  type: string | null
  record: Buffer | null
}
