import { expectRow, type Queryable, setColumns, type Transaction } from '@storekeep/common/postgres'
import sql, { empty } from 'sql-template-tag'
import type { Email } from '../domain/email.ts'
import type { NextStep } from '../domain/next-step.ts'
import { emailColumns } from './email-repository.ts'

/** An email whose attempt this process makes. */
export interface ClaimedEmail extends Email {
  /** Proves that the attempt is the current one of the email. */
  lease: string
  /** Since the email was created, by the clock of the database. */
  ageMs: number
  traceparent: string | null
}

/**
 * Claims emails that are due, the longest due first: other processes do not attempt them before the lease ends. A lease that ended
 * without a result is one of a killed process, and its email is due again.
 */
export async function claimDueEmails(db: Queryable, limit: number, leaseMs: number): Promise<ClaimedEmail[]> {
  return await db.query<ClaimedEmail>(sql`
    with due as materialized (
      select store_id, id from email where status = 'pending' and due_at <= now()
      order by due_at limit ${limit} for no key update skip locked
    )
    update email set lease = gen_random_uuid(), due_at = now() + ${leaseMs} * interval '1 millisecond'
    where (store_id, id) in (select store_id, id from due)
    returning ${emailColumns}, lease, traceparent,
      (extract(epoch from now() - created_at) * 1000)::float8 as "ageMs"`)
}

/** What an attempt has found out. */
export interface AttemptResult {
  next: NextStep
  /** Whether the email was handed to the SMTP server. */
  isAttempt: boolean
  failureReason: string | null
  /** Undefined if it was not found out. */
  orderId: string | undefined
  locale: string | undefined
  /** Encrypted. */
  recipient: Buffer | undefined
}

/**
 * Writes the result of an attempt.
 * @returns undefined if another process has the email now, because the lease had ended
 */
export async function recordAttempt(
  tx: Transaction,
  { storeId, id, lease }: Pick<ClaimedEmail, 'storeId' | 'id' | 'lease'>,
  { next, isAttempt, failureReason, orderId, locale, recipient }: AttemptResult,
  now: Date,
): Promise<Email | undefined> {
  const found = {
    ...(orderId !== undefined && { order_id: orderId }),
    ...(locale !== undefined && { locale }),
    ...(recipient !== undefined && { recipient }),
  }
  const delayMs = next.status === 'pending' ? next.delayMs : null
  const [row] = await tx.query<Email>(sql`
    update email set status = ${next.status}, lease = null,
      due_at = now() + ${delayMs}::float8 * interval '1 millisecond',
      ended_at = ${next.status === 'pending' ? null : now},
      attempts = attempts + ${isAttempt ? 1 : 0}::int, failure_reason = ${failureReason},
      version = version + 1${Object.keys(found).length === 0 ? empty : sql`, ${setColumns(found)}`}
    where store_id = ${storeId} and id = ${id} and lease = ${lease}
    returning ${emailColumns}`)
  return row
}

/** Ends leases without an attempt, so that another process makes it. */
export async function releaseEmails(db: Queryable, claimed: readonly ClaimedEmail[]): Promise<void> {
  await db.query(sql`
    update email set lease = null, due_at = now()
    from unnest(
      ${claimed.map(({ storeId }) => storeId)}::bigint[], ${claimed.map(({ id }) => id)}::bigint[],
      ${claimed.map(({ lease }) => lease)}::uuid[]
    ) as given (store_id, id, lease)
    where email.store_id = given.store_id and email.id = given.id and email.lease = given.lease`)
}

/** What waits to be sent. */
export async function readBacklog(db: Queryable): Promise<{ pending: number; oldestDueAge: number }> {
  const rows = await db.query<{ pending: number; oldestDueAge: number }>(sql`
    select (select count(*)::int from (select from email where status = 'pending' limit 100000) as pending) as pending,
      greatest(0, coalesce((
        select extract(epoch from now() - min(due_at))::float8 from email where status = 'pending'
      ), 0)) as "oldestDueAge"`)
  return expectRow(rows)
}
