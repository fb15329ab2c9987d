import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import type { TaxedAmount } from '@storekeep/proto/conventions/tax-amounts'
import sql, { empty, raw } from 'sql-template-tag'
import { claimDue } from '../../db/claim-due.ts'
import type { RefundLine, RefundStatus } from '../domain/refund.ts'
import type { RefundFilter } from '../domain/refund-filter.ts'

export interface NewRefund {
  storeId: string
  paymentId: string
  /** Null if the payment completed no order. */
  orderId: string | null
  amount: bigint
  /** How the amount splits; null if the order has no tax. */
  split: TaxedAmount | null
  lines: readonly RefundLine[]
  reason: string | null
  /** Counts the refunds of a payment without an order that Storekeep makes; null for others. Unique. */
  attempt: number | null
  /** See `actorText`. */
  createdBy: string
  createdAt: Date
  /** When the task makes the refund, unless the caller has by then. */
  nextAt: Date
}

export interface Refund extends Omit<NewRefund, 'nextAt' | 'attempt'> {
  /** Also the idempotency key at the provider. */
  id: string
  status: RefundStatus
  providerReference: string | null
  failureReason: string | null
}

export async function insertRefund(tx: Transaction, refund: NewRefund): Promise<Refund> {
  const { storeId, paymentId, orderId, amount, split, lines, reason, attempt, createdBy, createdAt, nextAt } = refund
  const rows = await tx.query<StoredRefund>(sql`
    insert into refund (store_id, payment_id, order_id, amount, net_amount, tax_amount, lines, reason, attempt, created_by,
      created_at, next_at)
    values (${storeId}, ${paymentId}, ${orderId}, ${amount}, ${split?.netAmount}, ${split?.taxAmount},
      ${JSON.stringify(lines)}, ${reason}, ${attempt}, ${createdBy}, ${createdAt}, ${nextAt})
    returning ${refundColumns}`)
  return toRefund(expectRow(rows))
}

export async function findRefund(db: Queryable, storeId: string, id: string): Promise<Refund | undefined> {
  const [row] = await db.query<StoredRefund>(
    sql`select ${refundColumns} from refund where store_id = ${storeId} and id = ${id}`,
  )
  return row && toRefund(row)
}

/** The refunds of a payment, oldest first. */
export async function selectRefunds(db: Queryable, storeId: string, paymentId: string): Promise<Refund[]> {
  const rows = await db.query<StoredRefund>(
    sql`select ${refundColumns} from refund where store_id = ${storeId} and payment_id = ${paymentId} order by id`,
  )
  return rows.map(toRefund)
}

/** The rows of one page, in the order in which the plan reads. */
export async function selectRefundPage(
  db: Queryable,
  storeId: string,
  { status, orderId }: RefundFilter,
  plan: PagePlan,
): Promise<Refund[]> {
  const rows = await db.query<StoredRefund>(sql`
    select ${refundColumns} from refund
    where store_id = ${storeId} and ${pageCondition(plan)}
      ${status === undefined ? empty : sql`and status = ${status}`}
      ${orderId === undefined ? empty : sql`and order_id = ${orderId}`}
    ${pageOrder(plan)} limit ${plan.take}`)
  return rows.map(toRefund)
}

/** Writes the new state of a refund whose payment is locked. @param nextAt when the task acts on it; null: never */
export async function updateRefund(
  tx: Transaction,
  { storeId, id }: Pick<Refund, 'storeId' | 'id'>,
  changes: Pick<Refund, 'status' | 'providerReference' | 'failureReason'>,
  { now, nextAt }: { now: Date; nextAt: Date | null },
): Promise<Refund> {
  const rows = await tx.query<StoredRefund>(sql`
    update refund set status = ${changes.status}, provider_reference = ${changes.providerReference},
      failure_reason = ${changes.failureReason}, attempts = 0, next_at = ${nextAt},
      succeeded_at = ${changes.status === 'succeeded' ? now : null}
    where store_id = ${storeId} and id = ${id} returning ${refundColumns}`)
  return toRefund(expectRow(rows))
}

export async function claimDueRefunds(db: Queryable, now: Date, limit: number): Promise<Refund[]> {
  const rows = await db.query<StoredRefund>(claimDue('refund', refundColumns, sql`900`, now, limit))
  return rows.map(toRefund)
}

interface StoredRefund extends Omit<Refund, 'amount' | 'split'> {
  amount: string
  netAmount: string | null
  taxAmount: string | null
}

function toRefund({ netAmount, taxAmount, ...stored }: StoredRefund): Refund {
  const isSplit = netAmount !== null && taxAmount !== null
  const split = isSplit ? { netAmount: BigInt(netAmount), taxAmount: BigInt(taxAmount) } : null
  return { ...stored, amount: BigInt(stored.amount), split }
}

const refundColumns = raw(`id, store_id as "storeId", payment_id as "paymentId", order_id as "orderId", amount,
  net_amount as "netAmount", tax_amount as "taxAmount", lines,
  reason, status, provider_reference as "providerReference", failure_reason as "failureReason",
  created_by as "createdBy", created_at as "createdAt"`)
