import type { PagePlan } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { type DocumentSearch, selectExact } from '../db/search-repository.ts'
import type { Found } from '../domain/result-page.ts'
import type { Requirement, SearchQuery } from '../domain/search-query.ts'
import { countByFrequentWord } from './count-by-frequent-word.ts'
import { countByRareWord } from './count-by-rare-word.ts'
import { addTerms, addTypos } from './expand-words.ts'
import { orderByFrequency } from './order-by-frequency.ts'
import { readPage } from './read-page.ts'

/**
 * Finds the documents that match the query: first by identifier, otherwise by words.
 * @returns matches by type; of the `partial` types there can be more
 */
export async function findDocuments(
  db: { lookups: Queryable; scans: Queryable },
  { scope, totals }: Pick<DocumentSearch, 'scope' | 'totals'>,
  query: SearchQuery,
  plan: PagePlan,
): Promise<Found> {
  if (totals.size === 0) return { rows: [], exact: undefined, counts: totals, partial: [] }
  const search = { scope, totals, plan, exactId: query.exactId }
  const identified = query.identifier && (await findByIdentifier(db.lookups, search, query.identifier))
  return identified ?? (await findByWords(db.scans, search, query.requirements))
}

/**
 * Strategy 1, identifier: only documents that contain exactly this identifier have its index entries.
 * @returns undefined if there are none
 */
async function findByIdentifier(
  db: Queryable,
  search: PageSearch,
  identifier: readonly Requirement[],
): Promise<Found | undefined> {
  const found = await findMatching(db, search, identifier)
  return found.counts.size > 0 || found.partial.length > 0 ? found : undefined
}

async function findByWords(db: Queryable, search: PageSearch, words: readonly Requirement[]): Promise<Found> {
  const types = [...search.totals.keys()]
  const withTypos = await addTypos(db, search.scope, words, types)
  return await findMatching(db, search, await addTerms(db, search.scope, withTypos, types))
}

/** Counts the matches of each type by its rarest or a frequent word (strategies 2 and 3), and reads the page (strategy 4). */
async function findMatching(
  db: Queryable,
  pageSearch: PageSearch,
  requirements: readonly Requirement[],
): Promise<Found> {
  const { rarestFirst, fewTermsFirst, rareIn, frequentIn } = await orderByFrequency(db, pageSearch, requirements)
  const search = { ...pageSearch, requirements: rarestFirst }
  const [rare, ...frequent] = await Promise.all([
    countByRareWord(db, search, rareIn),
    ...frequentIn.map((type) => countByFrequentWord(db, { ...pageSearch, requirements: fewTermsFirst }, type)),
  ])
  const tallies = [...rare, ...frequent]
  const [exact, rows] = await Promise.all([selectExact(db, search), readPage(db, search, tallies)])
  const matched = tallies.filter(({ matches }) => matches > 0)
  const partial = tallies.filter(({ isComplete }) => !isComplete)
  return {
    rows,
    exact,
    counts: new Map(matched.map(({ type, matches }) => [type, matches])),
    partial: partial.map(({ type }) => type),
  }
}

type PageSearch = Omit<DocumentSearch, 'requirements'>
