import type { PagePlan } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import type { LiveDocument } from '../db/schema.ts'
import {
  allEntries,
  countMatches,
  type DocumentSearch,
  selectByIds,
  selectFrequent,
  type Tally,
} from '../db/search-repository.ts'

/**
 * Strategy 4, page: cuts the page from the matches if counting has found them. Otherwise matches are frequent, or one of the words is:
 * reads the next documents and, if these do not fill the page, all index entries.
 */
export async function readPage(
  db: Queryable,
  search: DocumentSearch,
  tallies: readonly Tally[],
): Promise<LiveDocument[]> {
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

/** The first `take` rows of all pages, in the order of the plan. */
function merge(pages: readonly LiveDocument[][], { ascending, take }: PagePlan): LiveDocument[] {
  const [before, after] = ascending ? [-1, 1] : [1, -1]
  return pages
    .flat()
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? before : after))
    .slice(0, take)
}
