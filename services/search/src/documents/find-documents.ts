import type { PagePlan } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { selectTerms, selectTypoCandidates } from './db/requirement-sql.ts'
import type { LiveDocument } from './db/schema.ts'
import {
  countDocuments,
  countMatches,
  type DocumentSearch,
  estimateFrequencies,
  type SearchScope,
  selectByIds,
  selectExact,
  selectFrequent,
  type Tally,
} from './db/search-repository.ts'
import type { Found } from './domain/result-page.ts'
import type { Requirement, SearchQuery } from './domain/search-query.ts'
import { isTypoOf } from './domain/typos.ts'

/**
 * Finds the documents that match the query. A complete identifier is looked up first, by index entries that only this
 * identifier has.
 * @returns matches by type; of the `partial` types there can be more
 */
export async function findDocuments(
  db: { lookups: Queryable; scans: Queryable },
  scope: SearchScope,
  query: SearchQuery,
  plan: PagePlan,
): Promise<Found> {
  const totals = await countDocuments(db.lookups, scope)
  if (totals.size === 0) return { rows: [], exact: undefined, counts: totals, partial: [] }
  const types = [...totals.keys()]
  const { exactId, identifier } = query
  if (identifier) {
    const found = await findMatching(db.lookups, { scope, requirements: identifier, plan, exactId }, types)
    if (found.counts.size > 0 || found.partial.length > 0) return found
  }
  const requirements = await addTerms(
    db.scans,
    scope,
    await addTypos(db.scans, scope, query.requirements, types),
    types,
  )
  return await findMatching(db.scans, { scope, requirements, plan, exactId }, types)
}

async function findMatching(
  db: Queryable,
  { requirements, ...rest }: Omit<DocumentSearch, 'requirements'> & { requirements: readonly Requirement[] },
  types: readonly SearchedRecord[],
): Promise<Found> {
  const search = { ...rest, requirements: await leastFrequentFirst(db, rest.scope, requirements, types) }
  const tallies = await countByType(db, search, types)
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

/**
 * Counts the matches of each type. Counting stops where it becomes expensive: above the largest count, and after
 * `checkedEntries` index entries that need a look-up each.
 */
async function countByType(db: Queryable, search: DocumentSearch, types: readonly SearchedRecord[]): Promise<Tally[]> {
  const isSingle = search.requirements.length === 1
  const done: Tally[] = []
  let open = types
  for (let direct = isSingle ? firstEntries : checkedEntries; open.length > 0; direct *= 8) {
    const tallies = await countMatches(db, search, open, { direct, ofPart: checkedEntries })
    // A document has several entries if several of its words match, so those read can be of few documents.
    const isOpen = (tally: Tally) => isSingle && tally.direct >= direct && tally.matches <= facetCount
    done.push(...tallies.filter((tally) => !isOpen(tally)))
    open = tallies.filter(isOpen).map(({ type }) => type)
  }
  return done
}

const { facetCount, checkedEntries } = searchLimits
const firstEntries = facetCount + 500

/**
 * Reads the page. If not all matches of a type are known, they are frequent or one of the words is: their part of the
 * page is read from the next documents or, if these do not fill it, from all index entries.
 */
async function readPage(db: Queryable, search: DocumentSearch, tallies: readonly Tally[]): Promise<LiveDocument[]> {
  const { scope, plan } = search
  const inScope = tallies.filter(({ type }) => scope.type === undefined || scope.type === type)
  const ids = inScope.flatMap(({ page }) => page)
  const pages = await Promise.all([
    ids.length === 0 ? [] : selectByIds(db, search, ids),
    ...inScope.filter(({ isComplete }) => !isComplete).map(({ type }) => readFrequent(db, search, type)),
  ])
  return merge(pages, plan)
}

async function readFrequent(db: Queryable, search: DocumentSearch, type: SearchedRecord): Promise<LiveDocument[]> {
  const rows = await selectFrequent(db, search, type)
  if (rows.length === search.plan.take) return rows
  const [tally] = await countMatches(db, search, [type], { direct: allEntries, ofPart: allEntries })
  return tally ? await selectByIds(db, search, tally.page) : []
}

const allEntries = 2 ** 31 - 1

/** The first `take` rows of all, in the order of the plan. */
function merge(pages: readonly LiveDocument[][], { ascending, take }: PagePlan): LiveDocument[] {
  const [before, after] = ascending ? [-1, 1] : [1, -1]
  return pages
    .flat()
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? before : after))
    .slice(0, take)
}

/** The requirement that the index is read for comes first: fewer entries, then fewer recent matches. */
async function leastFrequentFirst(
  db: Queryable,
  scope: SearchScope,
  requirements: readonly Requirement[],
  types: readonly SearchedRecord[],
): Promise<DocumentSearch['requirements']> {
  const [first, ...others] = requirements
  if (!first) throw new Error('A search without requirements reads all documents.')
  if (others.length === 0) return [first]
  const estimates = await estimateFrequencies(db, scope, requirements, types, estimatedEntries)
  const frequency = (at: number) => {
    const { entries = 0, recent = 0 } = estimates[at] ?? {}
    return entries + recent
  }
  const least = requirements.map((_, at) => at).reduce((a, b) => (frequency(b) < frequency(a) ? b : a))
  return [requirements[least] ?? first, ...requirements.filter((_, at) => at !== least)]
}

/** Adds the words of the store that are one typo away from a word of the query. */
export async function addTypos(
  db: Queryable,
  scope: SearchScope,
  requirements: readonly Requirement[],
  types: readonly SearchedRecord[],
): Promise<Requirement[]> {
  const terms = requirements.flatMap(({ typoOf }) => typoOf ?? [])
  if (terms.length === 0) return [...requirements]
  const candidates = await selectTypoCandidates(db, scope, types, terms)
  return requirements.map((requirement) => {
    const { typoOf } = requirement
    if (typoOf === undefined) return requirement
    const typos = candidates.filter(({ term, word }) => term === typoOf && !word.includes(term) && isTypoOf(term, word))
    return { ...requirement, words: [...requirement.words, ...typos.map(({ word }) => word)] }
  })
}

/** Adds the terms of the words that have few of them, which are then looked up by the index alone. */
async function addTerms(
  db: Queryable,
  scope: SearchScope,
  requirements: readonly Requirement[],
  types: readonly SearchedRecord[],
): Promise<Requirement[]> {
  // The only requirement is read as a range of the index.
  if (requirements.length === 1) return [...requirements]
  const words = requirements.flatMap(({ start }) => start ?? [])
  const found = await selectTerms(db, scope, types, words, fewTerms + 1)
  return requirements.map((requirement) => {
    const terms = found.filter(({ word }) => word === requirement.start)
    const areFew = types.every((type) => terms.filter((one) => one.type === type).length <= fewTerms)
    if (requirement.start === undefined || !areFew) return requirement
    return { ...requirement, terms: [...new Set(terms.map(({ term }) => term))] }
  })
}

const fewTerms = 8

const estimatedEntries = 2000
