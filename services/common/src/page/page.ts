import type { PageRequest } from '@storekeep/proto/common/v1/page'
import { pageLimits } from '@storekeep/proto/conventions/limits'
import sql, { raw, type Sql } from 'sql-template-tag'
import { errors, type Violation, violation } from '../errors/index.ts'
import { idViolations } from '../flake/index.ts'
import { maxRowBytes, rowBytes } from './row-bytes.ts'

/** How to read one page of a list that is ordered by id (contract section A, "Paging and order"). */
export interface PagePlan {
  /** Only ids greater than this. */
  above: string
  /** Only ids smaller than this. */
  below: string
  /** Direction of reading. */
  ascending: boolean
  /** Rows to read: one more than the page may contain, to find out whether there are more. */
  take: number
  /** The rows are read backwards from `before` and reversed for the response. */
  reversed: boolean
  hasAfter: boolean
  hasBefore: boolean
}

export interface Page<Row> {
  rows: Row[]
  info: { hasNext: boolean; hasPrevious: boolean }
}

/**
 * Plans how to read a page (contract section A, "Paging and order"). Cursors are relative to the chosen order: `after`
 * reads what follows it, `before` what precedes it, nearest first; both together read the open interval from its start.
 * The ids need not exist.
 *
 * @param page default: the first 50, newest first
 * @throws ServiceFault `validation-failed` for a limit outside 1 to 100 or a malformed id
 */
export function planPage(page: PageRequestShape = firstPage): PagePlan {
  const violations = pageViolations(page)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const { after, before, asc, limit } = page
  const reversed = before !== undefined && after === undefined
  return {
    above: (asc ? after : before) ?? smallest,
    below: (asc ? before : after) ?? beyond,
    ascending: asc !== reversed,
    take: limit + 1,
    reversed,
    hasAfter: after !== undefined,
    hasBefore: before !== undefined,
  }
}

/**
 * Builds the page from the rows read for its plan, in the chosen order. On the side that was not read, a cursor implies
 * that there are more items, since its id usually comes from an adjacent page.
 *
 * Large rows make a page shorter than its limit, so that every page fits a message. The next page continues after it.
 */
export function cutPage<Row>(plan: PagePlan, read: readonly Row[]): Page<Row> {
  const rows = read.slice(0, Math.min(plan.take - 1, countFitting(read)))
  const more = read.length > rows.length
  const hasRows = rows.length > 0
  if (plan.reversed) return { rows: rows.reverse(), info: { hasNext: hasRows, hasPrevious: more } }
  // An interval is read from its start, so none of its items precede the page.
  return { rows, info: { hasNext: more, hasPrevious: hasRows && plan.hasAfter && !plan.hasBefore } }
}

/**
 * Reads the rows of a plan in parts, until they are complete or `cutPage` shortens the page. For lists of records that can take
 * hundreds of KiB, of which a page shows only a few: loading all of them would cost more memory than a pod has.
 *
 * The first part shows how large the records are. If they are small, the second part is the rest of the page; at worst, this is 85
 * of the largest records after 16 small ones.
 *
 * @param select reads the rows of a plan
 */
export async function readInParts<Row extends { id: string }>(
  plan: PagePlan,
  select: (part: PagePlan) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  let bytes = 0
  let rest = plan
  let take = Math.min(firstPart, plan.take)
  for (;;) {
    const read = await select({ ...rest, take })
    rows.push(...read)
    const last = rows.at(-1)
    if (!last || read.length < take || rows.length === plan.take) return rows
    bytes += read.reduce((sum, row) => sum + rowBytes(row), 0)
    if (bytes > maxPageBytes) return rows
    rest = plan.ascending ? { ...plan, above: last.id } : { ...plan, below: last.id }
    // If later rows have the average size of those so far: as many as fit, and one more, which shows that the page has a successor.
    const showable = Math.ceil((maxPageBytes - bytes) / (bytes / rows.length)) + 1
    take = Math.min(showable, plan.take - rows.length)
  }
}

const firstPart = 16

/** How many of the rows fit one response; at least one. */
function countFitting(rows: readonly unknown[]): number {
  if (rows.reduce<number>((sum, row) => sum + maxRowBytes(row as object), 0) <= maxPageBytes) return rows.length
  let bytes = 0
  const first = rows.findIndex((row) => {
    bytes += rowBytes(row)
    return bytes > maxPageBytes
  })
  return first < 0 ? rows.length : Math.max(first, 1)
}

/** SQL condition for the rows of a page: `where store_id = … and ${pageCondition(plan)} … limit ${plan.take}`. */
export function pageCondition({ above, below }: PagePlan): Sql {
  return sql`id > ${above} and id < ${below}`
}

/** `order by id` in the direction of the plan. */
export function pageOrder({ ascending }: PagePlan): Sql {
  return ascending ? raw('order by id asc') : raw('order by id desc')
}

/** Half the maximum size of a message. */
const maxPageBytes = 4 * 1024 * 1024

type PageRequestShape = Pick<PageRequest, 'limit' | 'asc' | 'after' | 'before'>

const firstPage: PageRequestShape = { limit: pageLimits.default, asc: false }
const smallest = '0'
/** No row has the largest flake id, whose timestamp is in the year 2091. */
const beyond = '9223372036854775807'

function pageViolations({ limit, after, before }: PageRequestShape): Violation[] {
  return [
    limit < 1 ? violation('limit', 'min', 'must be at least 1') : undefined,
    limit > pageLimits.max ? violation('limit', 'max', `must be at most ${pageLimits.max}`) : undefined,
    ...idViolations('after', after),
    ...idViolations('before', before),
  ].filter((one) => one !== undefined)
}
