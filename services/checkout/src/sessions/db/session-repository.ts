import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { SessionFilter } from '../domain/session-filter.ts'
import { listedColumns, type SessionRow, type StoredSession, sessionColumns, toSessionRow } from './schema.ts'

export async function findSession(db: Queryable, storeId: string, id: string): Promise<SessionRow | undefined> {
  const [row] = await db.query<StoredSession>(
    sql`select ${sessionColumns} from checkout_session where store_id = ${storeId} and id = ${id}`,
  )
  return row && toSessionRow(row)
}

/** The session of a token, in any store: the token proves the right to it, and its hash is unique. */
export async function findSessionByToken(db: Queryable, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await db.query<StoredSession>(
    sql`select ${sessionColumns} from checkout_session where token_hash = ${tokenHash}`,
  )
  return row && toSessionRow(row)
}

/**
 * The rows of one page, in the order in which the plan reads, without customer details and inline products.
 * @param now decides which open sessions have expired
 */
export async function selectSessions(
  db: Queryable,
  storeId: string,
  { status, customerId }: SessionFilter,
  plan: PagePlan,
  now: Date,
): Promise<SessionRow[]> {
  const ofCustomer = customerId === undefined ? empty : sql`and customer_id = ${customerId}`
  const pages = withStatus(status, now).map(
    (condition) => sql`(
      select * from checkout_session
      where store_id = ${storeId} and ${pageCondition(plan)} ${condition} ${ofCustomer}
      ${pageOrder(plan)} limit ${plan.take})`,
  )
  const rows = await db.query<StoredSession>(sql`
    select ${listedColumns} from (${join(pages, ' union all ')}) checkout_session
    ${pageOrder(plan)} limit ${plan.take}`)
  return rows.map(toSessionRow)
}

/** Disjoint conditions, each of which an index serves in the order of the page. */
function withStatus(status: SessionFilter['status'], now: Date): Sql[] {
  switch (status) {
    case undefined:
      return [empty]
    case 'open':
      return [sql`and status = 'open' and expires_at > ${now}`]
    case 'expired':
      return [sql`and status = 'expired'`, sql`and status = 'open' and expires_at <= ${now}`]
    default:
      return [sql`and status = ${status}`]
  }
}
