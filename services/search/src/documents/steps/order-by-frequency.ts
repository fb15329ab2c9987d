import type { Queryable } from '@storekeep/common/postgres'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { hasFewTerms } from '../db/requirement-sql.ts'
import { type DocumentSearch, estimateFrequencies, sampleSize } from '../db/search-repository.ts'
import type { Requirement } from '../domain/search-query.ts'

/** Chooses the word by which the index is read: the word with fewer entries, then with fewer recent matches. */
export async function orderByFrequency(
  db: Queryable,
  { scope, totals }: Pick<DocumentSearch, 'scope' | 'totals'>,
  requirements: readonly Requirement[],
): Promise<Ordered> {
  const types = [...totals.keys()]
  const [first, ...others] = requirements
  if (!first) throw new Error('A search without requirements reads all documents.')
  if (others.length === 0) {
    return { rarestFirst: [first], fewTermsFirst: [first], rareIn: types, frequentIn: [] }
  }
  const estimates = await estimateFrequencies(db, scope, requirements, types, checkedEntries)
  const ranked = requirements
    .map((requirement, at) => ({ requirement, entries: [] as number[], recent: 0, ...estimates[at] }))
    .sort((a, b) => sum(a.entries) + a.recent - sum(b.entries) - b.recent)
  const hasMany = (type: SearchedRecord, { requirement, entries, recent }: (typeof ranked)[number]) => {
    if ((entries[types.indexOf(type)] ?? 0) >= checkedEntries) return true
    const { part, terms } = requirement
    return (
      part !== undefined && terms === undefined && (recent / sampleSize) * (totals.get(type) ?? 0) >= checkedEntries / 2
    )
  }
  const withFewTerms = ranked.find(({ requirement }) => hasFewTerms(requirement))
  const isFrequent = (type: SearchedRecord) => withFewTerms !== undefined && ranked.every((one) => hasMany(type, one))
  const startingWith = (start: Requirement | undefined): Ordered['rarestFirst'] => [
    start ?? first,
    ...requirements.filter((other) => other !== (start ?? first)),
  ]
  return {
    rarestFirst: startingWith(ranked[0]?.requirement),
    fewTermsFirst: startingWith(withFewTerms?.requirement),
    rareIn: types.filter((type) => !isFrequent(type)),
    frequentIn: types.filter(isFrequent),
  }
}

interface Ordered {
  rarestFirst: DocumentSearch['requirements']
  /** Starts with the rarest word that has few terms, if there is one. */
  fewTermsFirst: DocumentSearch['requirements']
  /** The types in which some word, with its parts, has at most as many entries as are checked. */
  rareIn: readonly SearchedRecord[]
  /** The types in which all words seem to have more, and one word has few terms. */
  frequentIn: readonly SearchedRecord[]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

const { checkedEntries } = searchLimits
