import { planPage } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { randomId } from '@storekeep/common/testing'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentWrite } from '../src/db/document-repository.ts'
import { findDocuments, selectDocuments } from '../src/db/search-repository.ts'
import { indexParts } from '../src/domain/document-index.ts'
import { readQuery } from '../src/domain/search-query.ts'
import { live, useSearch } from './harness.ts'

const search = useSearch()
const [large, small] = [randomId(), randomId()]
let generation: string

beforeAll(async () => {
  generation = await live(search)
  const documents = [large, small].flatMap((storeId) =>
    Array.from({ length: storeId === large ? 20_000 : 20 }, (_, n) => {
      const parts = indexParts(storeId, { texts: [`Robin ${n * 37}`], ids: [], hints: { code: [`c${n}`] } })
      return {
        storeId,
        id: randomId(),
        type: 'customer' as const,
        version: '1',
        deleted: false,
        record: Buffer.alloc(0),
        ...parts,
      }
    }),
  )
  for (let from = 0; from < documents.length; from += 1000) {
    const some = documents.slice(from, from + 1000)
    await search.database.query(documentWrite(generation, some))
  }
  await search.database.query(sql`vacuum analyze`)
})

/** The plan of the statement that a search sends. */
async function planOf(look: (db: Queryable) => Promise<unknown>): Promise<string> {
  const statements: Sql[] = []
  const noted = async (statement: Sql) => {
    statements.push(statement)
    return []
  }
  await look({ query: noted as Queryable['query'] })
  const lines = await search.database.query<{ 'QUERY PLAN': string }>(sql`explain ${statements[0]}`)
  return lines.map((line) => line['QUERY PLAN']).join('\n')
}

describe('in a store with many records', () => {
  it.each([
    ['a word', '37037', {}],
    ['a part', '7037', {}],
    ['a typo', 'robni 37037', {}],
    ['an id', '411486491630370816', {}],
    ['a hint', '', { code: 'c7' }],
  ])('a search by %s reads the index of keys', async (_by, query, hints) => {
    const scope = { generation, storeId: large, type: undefined }
    const plan = await planOf((db) => findDocuments(db, scope, readQuery(large, query, hints), planPage(), undefined))
    expect(plan).toMatch(/Bitmap Index Scan on document_\d+_keys/)
    expect(plan).not.toContain('Seq Scan')
  })

  it('a search in a small store reads nothing of the large one', async () => {
    const scope = { generation, storeId: small, type: undefined }
    const query = readQuery(small, 'robin', {})
    const plan = await planOf((db) => findDocuments(db, scope, query, planPage(), undefined))
    expect(plan).not.toContain('Seq Scan')
    const { counts } = await findDocuments(search.database, scope, query, planPage(), undefined)
    expect(counts).toEqual(new Map([['customer', 20]]))
  })

  it.each([undefined, 'customer'])('a page of all records reads as many as it has, of type %s', async (type) => {
    const plan = await planOf((db) => selectDocuments(db, { generation, storeId: large, type }, planPage()))
    expect(plan).toMatch(/Index Scan/)
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  })
})
