import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { TimelineKind } from '../domain/order.ts'

export interface NewTimelineEntry {
  storeId: string
  orderId: string
  kind: TimelineKind
  paymentId: string | null
  refundId: string | null
  amount: bigint | null
  /** See `actorText`. */
  actor: string
  createdAt: Date
}

export interface TimelineRow extends Omit<NewTimelineEntry, 'storeId' | 'orderId'> {
  id: string
}

/** Adds an entry when the transaction commits. */
export function addToTimeline(tx: Transaction, entry: NewTimelineEntry): void {
  tx.enqueueBeforeCommit(sql`
    insert into order_timeline (store_id, order_id, kind, payment_id, refund_id, amount, actor, created_at)
    values (${entry.storeId}, ${entry.orderId}, ${entry.kind}, ${entry.paymentId}, ${entry.refundId}, ${entry.amount},
      ${entry.actor}, ${entry.createdAt})`)
}

/** Oldest first. */
export async function selectTimeline(db: Queryable, storeId: string, orderId: string): Promise<TimelineRow[]> {
  const rows = await db.query<Omit<TimelineRow, 'amount'> & { amount: string | null }>(sql`
    select id, kind, payment_id as "paymentId", refund_id as "refundId", amount, actor, created_at as "createdAt"
    from order_timeline where store_id = ${storeId} and order_id = ${orderId} order by id`)
  return rows.map((row) => ({ ...row, amount: row.amount === null ? null : BigInt(row.amount) }))
}
