import { planPage } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { explain, randomId } from '@storekeep/common/testing'
import type { PageRequest } from '@storekeep/proto/common/v1/page'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import { SearchResultType as Type } from '@storekeep/proto/search/v1/search_service'
import sql, { raw, type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentWrite } from '../src/documents/db/document-repository.ts'
import { analyzeGeneration, createGenerationTables } from '../src/documents/db/document-table.ts'
import { dropIndexTriggers } from '../src/documents/db/index-triggers.ts'
import { selectDocuments } from '../src/documents/db/search-repository.ts'
import { documentTable, postingTable, tableOf, vocabularyTable } from '../src/documents/db/table-names.ts'
import { indexEntry } from '../src/documents/domain/document-index.ts'
import { readQuery } from '../src/documents/domain/search-query.ts'
import { findDocuments } from '../src/documents/steps/find-documents.ts'
import { countsOf, inStore, live, searched, useSearch } from './harness.ts'

const search = useSearch()
const [large, small] = [randomId(), randomId()]
const { facetCount, checkedEntries } = searchLimits
const largeSize = 13_000
/** Words and how many of the customers have them. */
const frequencies = { almost: facetCount - 1, exactly: facetCount, beyond: facetCount + 1 }
let generation: string

function document(storeId: string, n: number) {
  const counted = Object.entries(frequencies).flatMap(([word, size]) => (n < size ? word : []))
  const [name, part] = n % 2 === 0 ? ['Marian', `xqua${n % 14}`] : ['Robin', `qua${n % 14}`]
  const texts = [`${name} player ${part} w${n * 37}`, ...counted]
  const entry = indexEntry(storeId, `${n + 1}`, { texts, ids: [], hints: { code: [`c${n}`] } })
  const row = { storeId, id: `${n + 1}`, version: '1', deleted: false, record: Buffer.alloc(0), ...entry }
  return { ...row, type: 'customer' as const }
}

/**
 * Indexes customers whose ids ascend with n. All are players, every second a Marian and the others Robins. All have a word that
 * contains `qua`, at its start or not, of too many to look up each.
 */
beforeAll(async () => {
  generation = await live(search)
  const documents = [
    ...Array.from({ length: largeSize }, (_, n) => document(large, n)),
    ...Array.from({ length: 20 }, (_, n) => document(small, n)),
  ]
  for (let from = 0; from < documents.length; from += 1000) {
    await search.database.query(documentWrite(generation, documents.slice(from, from + 1000)))
  }
  const { database } = search
  const alone = async (statement: string) => void (await database.query(raw(statement)))
  await analyzeGeneration({ alone, transaction: database.transaction }, generation)
})

it('writing a record reads no more rows as an index grows that was empty when the statements were planned', async () => {
  const rows = await search.database.transaction(async (tx) => {
    const empty = '999'
    await createGenerationTables(tx, empty)
    const tables = [documentTable(empty), postingTable(empty), vocabularyTable(empty)].map((table) => table.sql)
    await tx.query(raw(`analyze ${tables.join()}`))
    const write = async (from: number, count: number) =>
      await tx.query(
        documentWrite(
          empty,
          Array.from({ length: count }, (_, n) => document(large, from + n)),
        ),
      )
    // Postgres keeps the plans of a statement that has run more than five times.
    for (let n = 0; n < 8; n += 1) await write(n, 1)
    await write(100, 2000)
    const read = async () => {
      const [row] = await tx.query<{ rows: number }>(sql`
        select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
        where relname = any(${tables})`)
      return row?.rows ?? Number.NaN
    }
    const before = await read()
    await write(5000, 1)
    // A change removes postings.
    await tx.query(documentWrite(empty, [{ ...document(large, 5001), id: '5001', version: '2' }]))
    const after = await read()
    await tx.query(raw(`drop table ${tables.join()}`))
    await dropIndexTriggers(tx, empty)
    return after - before
  })
  expect(rows).toBeLessThan(50)
})

const find = async (query: string, page: Partial<PageRequest> = {}, db: Queryable = search.database, storeId = large) =>
  findDocuments(
    { lookups: db, scans: db },
    await searched(search, storeId),
    readQuery(storeId, query, {}),
    planPage({ limit: 2, asc: false, ...page } as PageRequest),
  )

const idsOf = async (query: string, page: Partial<PageRequest> = {}) =>
  (await find(query, page)).rows.map(({ id }) => id)

const facetsOf = async (query: string) => await search.client.search({ query }, inStore(large, { deadlineMs: 20_000 }))

/** The plans of all statements of a search, which it also executes. */
async function plansOfSearch(look: (db: Queryable) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  const explained = async (statement: Sql) => {
    plans.push(await explain(search.database, statement))
    return await search.database.query(statement)
  }
  await look({ query: explained as Queryable['query'] })
  return plans
}

const queries = {
  'a long number': '76561197960265729',
  'an email address': 'bob@example.org',
  'a rare word': 'w37037',
  'a frequent word': 'player',
  'a prefix': 'w3',
  'a part': '7037',
  'a typo': 'wobin',
  'two words': 'robin w37037',
  'two frequent words': 'robin player',
  nothing: 'qwertz',
}

describe('in a large store', () => {
  it.each(Object.entries(queries))('a search for %s reads no table sequentially', async (_what, query) => {
    const plans = await plansOfSearch((db) => find(query, {}, db))
    expect(plans.length).toBeGreaterThan(0)
    for (const plan of plans) expect(plan).not.toContain('Seq Scan')
  })

  it.each(Object.entries(queries))('a search for %s in another store reads nothing of it', async (_what, query) => {
    const plans = await plansOfSearch((db) => find(query, {}, db, small))
    for (const plan of plans) expect(plan).not.toContain('Seq Scan')
    const { counts } = await find('player', {}, search.database, small)
    expect(counts).toEqual(new Map([['customer', 20]]))
  })

  it('a search for a part without the index of grams reads the vocabulary sequentially', async () => {
    await search.database
      .transaction(async (tx) => {
        await tx.query(sql`drop index ${raw(`${tableOf('vocabulary', generation).sql}_grams`)}`)
        const plans: string[] = []
        const explained = async (statement: Sql) => {
          plans.push(await explain(tx, statement))
          return await tx.query(statement)
        }
        await find('7037', {}, { query: explained as Queryable['query'] })
        expect(plans.join('\n')).toMatch(/Seq Scan on vocabulary/)
        throw new Error('roll back')
      })
      .catch((error: Error) => expect(error.message).toBe('roll back'))
  })

  it.each([undefined, 'customer' as const])('a page of all records reads only its rows, of type %s', async (type) => {
    const plans = await plansOfSearch((db) => selectDocuments(db, { generation, storeId: large, type }, planPage()))
    expect(plans).toEqual([expect.stringMatching(/Index Scan/)])
    expect(plans[0]).not.toMatch(/Seq Scan|Sort/)
  })

  it('matches are counted exactly up to 10,000, and the response says when there can be more', async () => {
    const counted = async (query: string) => {
      const response = await facetsOf(query)
      const [facet] = response.facets.filter(({ type }) => type === Type.CUSTOMER)
      return [countsOf(response)[Type.CUSTOMER], facet?.isLowerBound]
    }
    expect(await counted('almost')).toEqual([facetCount - 1, false])
    expect(await counted('exactly')).toEqual([facetCount, false])
    expect(await counted('beyond')).toEqual([facetCount, true])
    expect(await counted('player')).toEqual([facetCount, true])
    expect(await counted('robin almost')).toEqual([expect.toSatisfy((count: number) => count >= 1000), true])
    expect(await counted('')).toEqual([facetCount, true])
    expect(await counted('robin w37037')).toEqual([expect.any(Number), false])
    expect(await counted('robin marian')).toEqual([undefined, true])
  })

  it('a query of several words looks up at most 2,000 index entries in all, by the start and by a part of words together', async () => {
    const { counts, partial } = await find('qua player')
    expect(partial).toEqual(['customer'])
    expect(counts.get('customer')).toBe(checkedEntries)
  })

  it('parts of words are left out of the count, not of the page, if the newest records suggest more matches than are counted', async () => {
    const { counts, partial, rows } = await find('qua')
    expect(partial).toEqual(['customer'])
    // With words that only contain it, 2,000 more.
    expect(counts.get('customer')).toBe(largeSize / 2)
    expect(rows.map(({ id }) => id)).toEqual(['13000', '12999', '12998'])
  })

  it('the count of two frequent words does not depend on the page', async () => {
    // The newest record with the first word does not have the second.
    const first = await find('exactly almost')
    expect(first.partial).toEqual(['customer'])
    for (const page of [{ after: '5000' }, { before: '5000' }, { asc: true }]) {
      expect((await find('exactly almost', page)).counts).toEqual(first.counts)
    }
  })

  it.each(['robin', 'robin player', 'obin', 'robin beyond'])(
    'the pages of %j contain all matches, newest first, in either direction',
    async (query) => {
      const last = query.includes('beyond') ? facetCount : largeSize
      expect(await idsOf(query)).toEqual([`${last}`, `${last - 2}`, `${last - 4}`])
      expect(await idsOf(query, { after: '7' })).toEqual(['6', '4', '2'])
      expect(await idsOf(query, { before: '1' })).toEqual(['2', '4', '6'])
      expect(await idsOf(query, { asc: true, after: '9' })).toEqual(['10', '12', '14'])
    },
  )

  it('a page of frequent matches is found behind many other records', async () => {
    const others = 41_000
    await search.database.query(sql`
      insert into ${documentTable(generation)}
      select ${large}::bigint, n, 'customer', 1, false, '', 'other', '{}'
      from generate_series(1000000, 1000000 + ${others}::bigint) n`)
    expect(await idsOf('robin player')).toEqual(['13000', '12998', '12996'])
    expect(await idsOf('player')).toEqual(['13000', '12999', '12998'])
    expect((await find('robin player')).partial).toEqual(['customer'])
    expect(checkedEntries).toBeLessThan(largeSize / 2)
  })
})
