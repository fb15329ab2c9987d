import { planPage } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { randomId } from '@storekeep/common/testing'
import type { PageRequest } from '@storekeep/proto/common/v1/page'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import { SearchResultType as Type } from '@storekeep/proto/search/v1/search_service'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentWrite } from '../src/documents/db/document-repository.ts'
import { documentTable } from '../src/documents/db/document-table.ts'
import { findDocuments, selectDocuments } from '../src/documents/db/search-repository.ts'
import { indexEntry } from '../src/documents/domain/document-index.ts'
import { readQuery } from '../src/documents/domain/search-query.ts'
import { countsOf, inStore, live, useSearch } from './harness.ts'

const search = useSearch()
const [large, small] = [randomId(), randomId()]
const { facetCount } = searchLimits
const largeSize = 12_000
let generation: string

/** Indexes customers whose ids ascend with n. Every tenth is a Marian, the others are Robins. */
beforeAll(async () => {
  generation = await live(search)
  const document = (storeId: string, n: number) => {
    const name = n % 10 === 0 ? 'Marian' : 'Robin'
    const texts = [`${name} ${n * 37}`]
    const entry = indexEntry(storeId, 'customer', { texts, ids: [], hints: { code: [`c${n}`] } })
    const row = { storeId, id: `${n + 1}`, version: '1', deleted: false, record: Buffer.alloc(0), ...entry }
    return { ...row, type: 'customer' as const }
  }
  const documents = [
    ...Array.from({ length: largeSize }, (_, n) => document(large, n)),
    ...Array.from({ length: 20 }, (_, n) => document(small, n)),
  ]
  for (let from = 0; from < documents.length; from += 500) {
    await search.database.query(documentWrite(generation, documents.slice(from, from + 500)))
  }
  await search.database.query(sql`vacuum analyze ${documentTable(generation)}`)
})

const find = (query: string, page: Partial<PageRequest> = {}) => {
  const scope = { generation, storeId: large, type: undefined }
  const plan = planPage({ limit: 2, asc: false, ...page } as PageRequest)
  return findDocuments(search.database, scope, readQuery(large, query, {}), plan, undefined)
}

const facetsOf = async (query: string) =>
  countsOf(await search.client.search({ query }, inStore(large, { deadlineMs: 20_000 })))

const updateLarge = (assignment: Sql) =>
  search.database.query(sql`update ${documentTable(generation)} set ${assignment} where store_id = ${large}`)

/** The plan of the first statement that a search sends. */
async function planOf(look: (db: Queryable) => Promise<unknown>): Promise<string> {
  const statements: Sql[] = []
  const record = async (statement: Sql) => {
    statements.push(statement)
    return []
  }
  await look({ query: record as Queryable['query'] })
  const lines = await search.database.query<{ 'QUERY PLAN': string }>(sql`explain ${statements[0]}`)
  return lines.map((line) => line['QUERY PLAN']).join('\n')
}

describe('in a large store', () => {
  it.each([
    ['a word', '37037', {}],
    ['a part', '7037', {}],
    ['a typo', 'robni 37037', {}],
    ['an id', '411486491630370816', {}],
    ['a hint', '', { code: 'c7' }],
  ])('a search by %s uses the key index', async (_by, query, hints) => {
    const scope = { generation, storeId: large, type: undefined }
    const plan = await planOf((db) => findDocuments(db, scope, readQuery(large, query, hints), planPage(), undefined))
    expect(plan).toMatch(/Bitmap Index Scan on document_\d+_keys/)
    expect(plan).not.toContain('Seq Scan')
  })

  it('a search in another store reads nothing of it', async () => {
    const scope = { generation, storeId: small, type: undefined }
    const query = readQuery(small, 'robin', {})
    const plan = await planOf((db) => findDocuments(db, scope, query, planPage(), undefined))
    expect(plan).not.toContain('Seq Scan')
    const { counts } = await findDocuments(search.database, scope, query, planPage(), undefined)
    expect(counts).toEqual(new Map([['customer', 18]]))
  })

  it.each([undefined, 'customer' as const])('a page of all records reads only its rows, of type %s', async (type) => {
    const plan = await planOf((db) => selectDocuments(db, { generation, storeId: large, type }, planPage()))
    expect(plan).toMatch(/Index Scan/)
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  })

  it.each([facetCount - 1, facetCount])('%d matches are counted exactly', async (count) => {
    const kept = sql`select id from ${documentTable(generation)} where store_id = ${large} and words like '%robin%'`
    await updateLarge(sql`deleted = id not in (${kept} order by id limit ${count})`)
    expect(await facetsOf('robin')).toEqual({ [Type.CUSTOMER]: count })
    await updateLarge(sql`deleted = false`)
  })

  it('more matches are counted as 10,000, and the pages still contain all of them', async () => {
    const idsOf = async (page: Partial<PageRequest>) => (await find('robin', page)).rows.map(({ id }) => id)
    for (const query of ['robin', '']) expect(await facetsOf(query)).toEqual({ [Type.CUSTOMER]: facetCount })
    expect(await idsOf({})).toEqual(['12000', '11999', '11998'])
    expect(await idsOf({ before: '1' })).toEqual(['2', '3', '4'])
    expect(await idsOf({ after: '3' })).toEqual(['2'])
  })

  it('a page of frequent matches is found behind many other records', async () => {
    await updateLarge(sql`id = id + case when words like '%robin%' then 1000000 else 0 end`)
    for (let n = 0; n < 10; n += 1) {
      await search.database.query(sql`
        insert into ${documentTable(generation)}
        select store_id, id - 1000000 + ${n} * 20000 + 20000, type, version, deleted, record, 'other', '{}'
        from ${documentTable(generation)} where store_id = ${large} and id > 1000000 limit 1100`)
    }
    expect((await find('robin', { asc: true })).rows.map(({ id }) => id)).toEqual(['1000002', '1000003', '1000004'])
  })
})
