import type { Queryable } from '@storekeep/common/postgres'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { selectTerms, selectTypoCandidates } from '../db/requirement-sql.ts'
import type { SearchScope } from '../db/search-repository.ts'
import type { Requirement } from '../domain/search-query.ts'
import { isTypoOf } from '../domain/typos.ts'

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

/** Adds the terms of the words that have few of them, whose index entries then suffice. */
export async function addTerms(
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
