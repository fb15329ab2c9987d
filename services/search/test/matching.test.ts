import { planPage } from '@storekeep/common/page'
import { randomId } from '@storekeep/common/testing'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentWrite } from '../src/documents/db/document-repository.ts'
import { matchesAll } from '../src/documents/db/requirement-sql.ts'
import { documentTable } from '../src/documents/db/table-names.ts'
import { indexEntry } from '../src/documents/domain/document-index.ts'
import { isOneEditApart } from '../src/documents/domain/edit-distance.ts'
import { readQuery } from '../src/documents/domain/search-query.ts'
import { addTypos } from '../src/documents/steps/expand-words.ts'
import { findDocuments } from '../src/documents/steps/find-documents.ts'
import { live, searched, useSearch } from './harness.ts'

const search = useSearch()
const storeId = randomId()
let generation: string

const letters = ['a', 'b', 'c', '1', '🦊'] as const
/** Of the same few letters, so that many differ by one edit. */
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 7 })
/** Ids that ascend with the position, and are no words. */
const documents = fc
  .sample(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), { numRuns: 600, seed: 7 })
  .concat([['x'.repeat(400)], [`y${'x'.repeat(400)}`], ['a 1'.repeat(4)]])
  .map((words, n) => ({
    id: `${8_000_000_000_000_000_000n + BigInt(n)}`,
    words: words.flatMap((one) => one.match(/[a-z0-9]+|🦊+/g) ?? []),
  }))

beforeAll(async () => {
  generation = await live(search)
  const rows = documents.map(({ id, words }) => ({
    ...{ storeId, id, type: 'customer' as const, version: '1', deleted: false, record: Buffer.alloc(0) },
    ...indexEntry(storeId, id, { texts: [words.join(' ')], ids: [], hints: {} }),
  }))
  for (let from = 0; from < rows.length; from += 50) {
    await search.database.query(documentWrite(generation, rows.slice(from, from + 50)))
  }
})

/** The definition of a match. */
function isMatch(term: string, indexed: string): boolean {
  if ([...term].length < 3 ? indexed.startsWith(term) : indexed.includes(term)) return true
  const isNumber = (text: string) => /^1+$/.test(text)
  const size = (text: string) => [...text].length
  if (size(term) < 4 || size(term) > 32 || isNumber(term)) return false
  const mayDiffer = (size(indexed) >= 4 && !isNumber(indexed)) || size(indexed) < size(term)
  return mayDiffer && isOneEditApart(term, indexed)
}

const scope = () => ({ generation, storeId, type: undefined })

/** The ids that a search finds, and the ids of the documents that meet the condition in SQL. */
async function find(query: string): Promise<{ count: number; ids: string[]; bySql: string[] }> {
  const read = readQuery(storeId, query, {})
  const { database } = search
  const db = { lookups: database, scans: database }
  const { rows, counts } = await findDocuments(
    db,
    await searched(search, storeId),
    read,
    planPage({ limit: 100, asc: true }),
  )
  const requirements = await addTypos(database, scope(), read.requirements, ['customer'])
  const bySql = await database.query<{ id: string }>(sql`
    select id from ${documentTable(generation)} document
    where store_id = ${storeId} and ${matchesAll(requirements)} order by id limit 101`)
  return { count: counts.get('customer') ?? 0, ids: rows.map(({ id }) => id), bySql: bySql.map(({ id }) => id) }
}

describe('a search finds', () => {
  it('exactly the records of the definition, by the index and by their text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 3 }), async (terms) => {
        const { words } = readQuery(storeId, terms.join(' '), {})
        fc.pre(words.length > 0)
        const expected = documents
          .filter((document) => words.every((term) => document.words.some((one) => isMatch(term, one))))
          .map(({ id }) => id)
        const found = await find(terms.join(' '))
        expect(found).toEqual({ count: expected.length, ids: expected.slice(0, 101), bySql: expected.slice(0, 101) })
      }),
      { numRuns: 150 },
    )
  })

  it.each([120, 149, 150, 151, 199])(
    'a word of 400 letters by %d letters from its start, and from within',
    async (size) => {
      const [whole, within] = [documents.at(-3)?.id, documents.at(-2)?.id]
      expect((await find('x'.repeat(size))).ids).toEqual([whole, within])
      expect((await find(`y${'x'.repeat(size)}`)).ids).toEqual([within])
    },
  )
})
