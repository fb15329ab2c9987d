import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import {
  type Columns,
  insertInto,
  type Queryable,
  rowOf,
  selectColumns,
  type Transaction,
} from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { Email, NewEmail } from '../domain/email.ts'

/**
 * Inserts emails. An email whose cause has one is not inserted again.
 * @returns the inserted ones
 */
export async function insertEmails(tx: Transaction, emails: readonly NewEmail[]): Promise<Email[]> {
  if (emails.length === 0) return []
  const rows = emails.map((email) => rowOf(newEmailColumns, email))
  return await tx.query<Email>(sql`${insertInto('email', rows)}
    on conflict (store_id, cause) do nothing returning ${emailColumns}`)
}

/** The emails about an order in one page, in the order in which the plan reads. */
export async function selectEmailsOfOrder(
  db: Queryable,
  { storeId, orderId }: { storeId: string; orderId: string },
  plan: PagePlan,
): Promise<Email[]> {
  return await db.query<Email>(sql`
    select ${emailColumns} from email
    where store_id = ${storeId} and order_id = ${orderId} and ${pageCondition(plan)}
    ${pageOrder(plan)} limit ${plan.take}`)
}

/** Locks an email about an order until the transaction ends. */
export async function lockEmail(
  tx: Transaction,
  { storeId, orderId, id }: { storeId: string; orderId: string; id: string },
): Promise<Email | undefined> {
  const [row] = await tx.query<Email>(sql`
    select ${emailColumns} from email
    where store_id = ${storeId} and id = ${id} and order_id = ${orderId} for no key update`)
  return row
}

const newEmailColumns = {
  storeId: 'store_id',
  kind: 'kind',
  cause: 'cause',
  customerId: 'customer_id',
  orderId: 'order_id',
  subscriptionId: 'subscription_id',
  refundAmount: 'refund_amount',
  messageId: 'message_id',
  resendOf: 'resend_of',
  traceparent: 'traceparent',
  createdAt: 'created_at',
} as const satisfies Columns<keyof NewEmail>

const { cause: _cause, traceparent: _traceparent, ...shownColumns } = newEmailColumns

/** The columns of an Email. */
export const emailColumns = selectColumns({
  id: 'id',
  ...shownColumns,
  recipient: 'recipient',
  locale: 'locale',
  status: 'status',
  attempts: 'attempts',
  dueAt: 'due_at',
  isInFlight: 'lease is not null',
  failureReason: 'failure_reason',
  endedAt: 'ended_at',
  version: 'version',
} satisfies Columns<keyof Email>)
