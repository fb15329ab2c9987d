import type { Queryable } from '@storekeep/common/postgres'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Requirement } from '../domain/search-query.ts'
import { swappedMiddle, unchangedParts } from '../domain/typos.ts'
import { partGrams, typoGrams } from './grams.ts'
import { documentTable, postingTable, vocabularyTable } from './table-names.ts'

/**
 * The `id`s of the index entries of a requirement for the type `of.type`, parts of words apart. A document can have several entries.
 *
 * @param limit of each branch; also keeps the planner from any other order of its joins
 */
export function directEntries(requirement: Requirement, { generation, storeId }: StoreIndex, limit: number): Sql {
  const { start, terms, words, keys, id } = requirement
  const scope = { generation, storeId }
  const branches: Sql[] = []
  if (terms === undefined && start !== undefined) {
    branches.push(sql`${postingsOf(scope)} >= ${start} and posting.term < ${start + lastLetter} limit ${limit}`)
  }
  // Without any other condition, this one finds nothing.
  if (words.length + keys.length + (terms?.length ?? 0) > 0 || (terms !== undefined && id === undefined)) {
    branches.push(sql`${termEntries(termsOf(requirement), scope)} limit ${limit}`)
  }
  if (id !== undefined) {
    branches.push(sql`
      select id from ${documentTable(generation)} document
      where store_id = ${storeId} and id = ${id.value} and document.type = of.type and not deleted
        and ${ofGivenType(id)}`)
  }
  return join(
    branches.map((branch) => sql`(${branch})`),
    ' union all ',
  )
}

/**
 * The `id`s of the index entries of words that contain a part of a word, but do not start with it. A row without an id stands for
 * the lookup of each word, so that a limit bounds both.
 */
export function partEntries(part: string, of: StoreIndex, limit: number): Sql {
  const { generation, storeId } = of
  return sql`
    select posting.id from ${vocabularyTable(generation)} vocabulary
    cross join lateral (
      select null::bigint as id union all (${postingsOf(of)} = vocabulary.term limit ${limit})
    ) posting
    where vocabulary.store_id = ${storeId} and vocabulary.type = of.type
      and vocabulary.grams @> ${partGrams(storeId, raw('of.type'), sql`${part}::text`)}
      and strpos(coalesce(vocabulary.word, vocabulary.term), ${part}) > 0 and not starts_with(vocabulary.term, ${part})`
}

/** The `id`s of the index entries of terms. */
export function termEntries(terms: Sql, of: StoreIndex): Sql {
  return sql`${postingsOf(of)} = any(${terms})`
}

function postingsOf({ generation, storeId }: StoreIndex): Sql {
  return sql`
    select id from ${postingTable(generation)} posting
    where posting.store_id = ${storeId} and posting.type = of.type and posting.term`
}

/** Whether the requirement is met by a few terms of the index and by nothing else. */
export function hasFewTerms({ id, terms, start }: Requirement): boolean {
  return id === undefined && (terms !== undefined || start === undefined)
}

/** The terms of the index by which a requirement is met exactly. */
export function termsOf({ terms, words, keys }: Requirement): Sql {
  return sql`array(
    select unnest(${[...(terms ?? []), ...words]}::text[]) union all select '#' || to_hex(unnest(${keys}::bigint[])))`
}

/** The entries of one store in one generation. */
interface StoreIndex {
  generation: string
  storeId: string
}

/** The condition that the row `document` meets all requirements. It finds the same documents as the index. */
export function matchesAll(requirements: readonly Requirement[]): Sql {
  return join(
    requirements.map((requirement) => sql`(${join(conditionsOf(requirement), ' or ')})`),
    ' and ',
  )
}

function conditionsOf({ start, part, words, keys, id }: Requirement): Sql[] {
  const conditions: Sql[] = []
  if (part !== undefined) conditions.push(sql`strpos(document.words, ${part}) > 0`)
  else if (start !== undefined) conditions.push(sql`strpos(' ' || document.words, ${` ${start}`}) > 0`)
  if (words.length > 0) conditions.push(sql`string_to_array(document.words, ' ') && ${words}::text[]`)
  if (keys.length > 0) conditions.push(sql`document.keys && ${keys}::bigint[]`)
  if (id !== undefined) conditions.push(sql`(document.id = ${id.value} and ${ofGivenType(id)})`)
  return conditions
}

function ofGivenType({ type }: NonNullable<Requirement['id']>): Sql {
  return type === undefined ? sql`true` : sql`document.type = ${type}`
}

/**
 * The words of the store that can be one edit away from the words of a query, by word of the query. Contains others too.
 */
export async function selectTypoCandidates(
  db: Queryable,
  { generation, storeId }: StoreIndex,
  types: readonly string[],
  terms: readonly string[],
): Promise<{ term: string; word: string }[]> {
  const vocabulary = vocabularyTable(generation)
  const columns = sql`coalesce(vocabulary.word, vocabulary.term) as word from ${vocabulary} vocabulary
    where vocabulary.store_id = store.id and vocabulary.type = of.type`
  const parts = terms.map(unchangedParts)
  return await db.query<{ term: string; word: string }>(sql`
    select distinct term.word as term, found.word
    from (select ${storeId}::bigint as id) store cross join unnest(${types}::text[]) of (type)
    cross join unnest(${terms}::text[], ${terms.map((term) => swappedMiddle(term) ?? null)}::text[],
      ${parts.map(({ longStart }) => longStart)}::text[], ${parts.map(({ longEnd }) => longEnd)}::text[],
      ${parts.map(({ shortStart }) => shortStart)}::text[], ${parts.map(({ shortEnd }) => shortEnd)}::text[]
    ) term (word, swapped, long_start, long_end, short_start, short_end)
    cross join lateral (
      (select ${columns} and vocabulary.grams && ${raw(typoGrams())} offset 0)
      union all (select ${columns} and vocabulary.term = term.swapped)
    ) found
    where starts_with(found.word, term.long_start) or right(found.word, length(term.long_end)) = term.long_end
      or (starts_with(found.word, term.short_start) and right(found.word, length(term.short_end)) = term.short_end)`)
}

/**
 * The distinct terms that meet the words of a query by their start or a part, up to `limit` for each word and type.
 * Jumps from term to term in the index, so their frequency does not matter.
 */
export async function selectTerms(
  db: Queryable,
  { generation, storeId }: StoreIndex,
  types: readonly string[],
  words: readonly string[],
  limit: number,
): Promise<{ word: string; type: string; term: string }[]> {
  const next = (after: Sql) => sql`
    select posting.term from ${postingTable(generation)} posting
    where posting.store_id = ${storeId} and posting.type = of.type and ${after}
      and posting.term < asked.word || ${lastLetter}
    order by posting.term limit 1`
  return await db.query(sql`
    select asked.word, of.type, found.term
    from unnest(${words}::text[]) asked (word) cross join unnest(${types}::text[]) of (type)
    cross join lateral (
      (
        with recursive found as (
          (${next(sql`posting.term >= asked.word`)})
          union all
          select (${next(sql`posting.term > found.term`)}) from found where found.term is not null
        )
        select term from found where term is not null
      )
      union all
      (
        select vocabulary.term from ${vocabularyTable(generation)} vocabulary
        where vocabulary.store_id = ${storeId} and vocabulary.type = of.type and length(asked.word) >= 3
          and vocabulary.grams @> ${partGrams(storeId, raw('of.type'), raw('asked.word'))}
          and strpos(coalesce(vocabulary.word, vocabulary.term), asked.word) > 0
          and not starts_with(vocabulary.term, asked.word)
      )
      limit ${limit}
    ) found`)
}

/** Sorts after all letters. */
const lastLetter = '\u{10ffff}'
