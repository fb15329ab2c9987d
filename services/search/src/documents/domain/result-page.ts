import { cutPage, type PagePlan } from '@storekeep/common/page'

/** The rows that were read for a page of results. */
export interface Found<Row = FoundRow> {
  /** The rows of the page, without `exact`. */
  rows: Row[]
  /** The record whose id equals the query, if it matches. */
  exact: Row | undefined
  /** Matches by type, independent of the page. */
  counts: ReadonlyMap<string, number>
  /** Types of which there can be more matches than were counted. */
  partial: readonly string[]
}

interface FoundRow {
  id: string
  type: string
  record: Buffer
}

/** Cuts the page. The record whose id equals the query comes first on the first page and is on no other. */
export function cutResults<Row>(
  plan: PagePlan,
  { rows, exact }: Pick<Found<Row>, 'rows' | 'exact'>,
): ReturnType<typeof cutPage<Row>> {
  const isFirst = !plan.hasAfter && !plan.hasBefore
  if (exact === undefined || !isFirst) return cutPage(plan, rows)
  return cutPage(plan, [exact, ...rows])
}
