import { planPage } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { type DocumentSearch, findNextMatches, type Tally } from '../db/search-repository.ts'

/**
 * Strategy 3, frequent word: if every word has more index entries than are checked, checks only the newest documents of a word that
 * has few terms. They often fill the page, too.
 */
export async function countByFrequentWord(db: Queryable, search: DocumentSearch, type: SearchedRecord): Promise<Tally> {
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

const { checkedEntries } = searchLimits
const newestFirst = planPage()
