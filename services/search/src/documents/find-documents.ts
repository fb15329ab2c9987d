import { type PagePlan, planPage } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { hasFewTerms, selectTerms, selectTypoCandidates } from './db/requirement-sql.ts'
import type { LiveDocument } from './db/schema.ts'
import {
  allEntries,
  countMatches,
  type DocumentSearch,
  estimateFrequencies,
  findNextMatches,
  type SearchScope,
  sampleSize,
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
  { scope, totals }: Pick<DocumentSearch, 'scope' | 'totals'>,
  query: SearchQuery,
  plan: PagePlan,
): Promise<Found> {
  if (totals.size === 0) return { rows: [], exact: undefined, counts: totals, partial: [] }
  const types = [...totals.keys()]
  const { exactId, identifier } = query
  if (identifier) {
    const found = await findMatching(db.lookups, { scope, totals, requirements: identifier, plan, exactId })
    if (found.counts.size > 0 || found.partial.length > 0) return found
  }
  const requirements = await addTerms(
    db.scans,
    scope,
    await addTypos(db.scans, scope, query.requirements, types),
    types,
  )
  return await findMatching(db.scans, { scope, totals, requirements, plan, exactId })
}

async function findMatching(db: Queryable, { requirements, ...rest }: Unordered<DocumentSearch>): Promise<Found> {
  const ordered = await orderByFrequency(db, rest, requirements)
  const search = { ...rest, requirements: ordered.requirements }
  const tallies = await Promise.all([
    countByType(db, search, ordered.rareIn),
    ...ordered.frequentIn.map((type) => countFrequent(db, { ...rest, requirements: ordered.fewTermsFirst }, type)),
  ]).then((all) => all.flat())
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

type Unordered<Search> = Omit<Search, 'requirements'> & { requirements: readonly Requirement[] }

/**
 * Counts the matches of each type. Counting stops where it becomes expensive: above the largest count, and after
 * `checkedEntries` index entries that need a look-up each, or half as many of words that contain a part.
 */
async function countByType(db: Queryable, search: DocumentSearch, types: readonly SearchedRecord[]): Promise<Tally[]> {
  const isSingle = search.requirements.length === 1
  const done: Tally[] = []
  let open = types
  for (let direct = isSingle ? firstEntries : checkedEntries; open.length > 0; direct *= 8) {
    const all = isSingle ? direct + checkedEntries : checkedEntries
    const tallies = await countMatches(db, search, open, { direct, ofPart: checkedParts, all })
    // A document has several entries if several of its words match, so those read can be of few documents.
    const isOpen = (tally: Tally) => isSingle && tally.direct >= direct && tally.matches <= facetCount
    done.push(...tallies.filter((tally) => !isOpen(tally)))
    open = tallies.filter(isOpen).map(({ type }) => type)
  }
  return done
}

const { facetCount, checkedEntries } = searchLimits
const firstEntries = facetCount + 500
const checkedParts = checkedEntries / 2

/**
 * Counts the matches of a type in which each requirement has more entries than are checked: among the newest documents of the
 * first, which has few terms. They often fill the page, too.
 */
async function countFrequent(db: Queryable, search: DocumentSearch, type: SearchedRecord): Promise<Tally> {
  const { plan } = search
  const newest = await findNextMatches(
    db,
    { ...search, plan: { ...newestFirst, take: plan.take } },
    type,
    checkedEntries,
  )
  const isFirstPage = !plan.ascending && !plan.hasAfter && !plan.hasBefore
  const { page } = isFirstPage ? newest : await findNextMatches(db, search, type, checkedEntries)
  const isFull = page.length === plan.take
  return { type, direct: checkedEntries, isComplete: false, matches: newest.matches, page: isFull ? page : [] }
}

const newestFirst = planPage()

/**
 * Reads the page. If neither all matches of a type are known nor those of the page, they are frequent or one of the words is:
 * their part of the page is read from the next documents or, if these do not fill it, from all index entries.
 */
async function readPage(db: Queryable, search: DocumentSearch, tallies: readonly Tally[]): Promise<LiveDocument[]> {
  const { scope, plan } = search
  const inScope = tallies.filter(({ type }) => scope.type === undefined || scope.type === type)
  const ids = inScope.flatMap(({ page }) => page)
  const pages = await Promise.all([
    ids.length === 0 ? [] : selectByIds(db, search, ids),
    ...inScope
      .filter(({ isComplete, page }) => !isComplete && page.length === 0)
      .map(({ type }) => readFrequent(db, search, type)),
  ])
  return merge(pages, plan)
}

async function readFrequent(db: Queryable, search: DocumentSearch, type: SearchedRecord): Promise<LiveDocument[]> {
  const rows = await selectFrequent(db, search, type)
  if (rows.length === search.plan.take) return rows
  const limits = { direct: allEntries, ofPart: allEntries, all: allEntries }
  const [tally] = await countMatches(db, search, [type], limits)
  return tally ? await selectByIds(db, search, tally.page) : []
}

/** The first `take` rows of all, in the order of the plan. */
function merge(pages: readonly LiveDocument[][], { ascending, take }: PagePlan): LiveDocument[] {
  const [before, after] = ascending ? [-1, 1] : [1, -1]
  return pages
    .flat()
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? before : after))
    .slice(0, take)
}

/** The requirement that the index is read for comes first: fewer entries, then fewer recent matches. */
async function orderByFrequency(
  db: Queryable,
  { scope, totals }: Pick<DocumentSearch, 'scope' | 'totals'>,
  requirements: readonly Requirement[],
): Promise<Ordered> {
  const types = [...totals.keys()]
  const [first, ...others] = requirements
  if (!first) throw new Error('A search without requirements reads all documents.')
  if (others.length === 0) {
    return { requirements: [first], fewTermsFirst: [first], rareIn: types, frequentIn: [] }
  }
  const estimates = await estimateFrequencies(db, scope, requirements, types, checkedEntries)
  const rank = (at: number) => sum(estimates[at]?.entries ?? []) + (estimates[at]?.recent ?? 0)
  const least = (of: readonly number[]) => of.reduce((a, b) => (rank(b) < rank(a) ? b : a))
  const startingWith = (at: number): DocumentSearch['requirements'] => [
    requirements[at] ?? first,
    ...requirements.filter((_, other) => other !== at),
  ]
  const all = [...requirements.keys()]
  const few = all.filter((at) => hasFewTerms(requirements[at] ?? first))
  const hasManyParts = (type: SearchedRecord, at: number) => {
    const { part, terms } = requirements[at] ?? first
    const share = (estimates[at]?.recent ?? 0) / sampleSize
    return part !== undefined && terms === undefined && share * (totals.get(type) ?? 0) >= checkedParts
  }
  const isFrequent = (type: SearchedRecord) =>
    few.length > 0 &&
    estimates.every(
      ({ entries }, at) => (entries[types.indexOf(type)] ?? 0) >= checkedEntries || hasManyParts(type, at),
    )
  return {
    requirements: startingWith(least(all)),
    fewTermsFirst: startingWith(few.length > 0 ? least(few) : 0),
    rareIn: types.filter((type) => !isFrequent(type)),
    frequentIn: types.filter(isFrequent),
  }
}

interface Ordered {
  /** The least frequent requirement first. */
  requirements: DocumentSearch['requirements']
  /** The least frequent requirement of few terms first, if there is one. */
  fewTermsFirst: DocumentSearch['requirements']
  /** The types in which a requirement has at most as few entries, with those of parts, as are checked. */
  rareIn: readonly SearchedRecord[]
  /** The types in which all requirements seem to have more, and one has few terms. */
  frequentIn: readonly SearchedRecord[]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
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
