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
  tx.insert('order_timeline', {
    store_id: entry.storeId,
    order_id: entry.orderId,
    kind: entry.kind,
    payment_id: entry.paymentId,
    refund_id: entry.refundId,
    amount: entry.amount,
    actor: entry.actor,
    created_at: entry.createdAt,
  })
}

/** Oldest first. */
export async function selectTimeline(db: Queryable, storeId: string, orderId: string): Promise<TimelineRow[]> {
  const rows = await db.query<Omit<TimelineRow, 'amount'> & { amount: string | null }>(sql`
    select id, kind, payment_id as "paymentId", refund_id as "refundId", amount, actor, created_at as "createdAt"
    from order_timeline where store_id = ${storeId} and order_id = ${orderId} order by id`)
  return rows.map((row) => ({ ...row, amount: row.amount === null ? null : BigInt(row.amount) }))
}
