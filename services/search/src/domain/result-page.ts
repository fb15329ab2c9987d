import { cutPage, type PagePlan } from '@storekeep/common/page'

/** What was read for a page of results. */
export interface Found<Row = FoundRow> {
  /** For the plan, without `exact`. */
  rows: Row[]
  /** The record whose id was asked for, when it fits. */
  exact: Row | undefined
  /** Of each type, whatever the page. */
  counts: ReadonlyMap<string, number>
}

interface FoundRow {
  id: string
  type: string
  record: Buffer
}

/** The page: the record whose id was asked for leads the first one and is on no other. */
export function cutResults<Row>(plan: PagePlan, { rows, exact }: Found<Row>): ReturnType<typeof cutPage<Row>> {
  const isFirst = !plan.hasAfter && !plan.hasBefore
  if (exact === undefined || !isFirst) return cutPage(plan, rows)
  return cutPage(plan, [exact, ...rows])
}
