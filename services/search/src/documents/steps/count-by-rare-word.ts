import type { Queryable } from '@storekeep/common/postgres'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { countMatches, type DocumentSearch, type Tally } from '../db/search-repository.ts'

/**
 * Strategy 2, rare word: reads the index entries of the rarest word and checks the other words in each of their documents.
 *
 * Counting stops where it becomes expensive: above the largest count, and after `checkedEntries` index entries that must be looked
 * up one by one, or half as many of words that contain a part.
 */
export async function countByRareWord(
  db: Queryable,
  search: DocumentSearch,
  types: readonly SearchedRecord[],
): Promise<Tally[]> {
  const isSingle = search.requirements.length === 1
  const done: Tally[] = []
  let open = types
  for (let direct = isSingle ? firstEntries : checkedEntries; open.length > 0; direct *= 8) {
    const all = isSingle ? direct + checkedEntries : checkedEntries
    const tallies = await countMatches(db, search, open, { direct, ofPart: checkedEntries / 2, all })
    // A document has several entries if several of its words match, so the entries can belong to few documents.
    const isOpen = (tally: Tally) => isSingle && tally.direct >= direct && tally.matches <= facetCount
    done.push(...tallies.filter((tally) => !isOpen(tally)))
    open = tallies.filter(isOpen).map(({ type }) => type)
  }
  return done
}

const { facetCount, checkedEntries } = searchLimits
const firstEntries = facetCount + 500
