import { errors } from '@storekeep/common/errors'
import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import {
  type Columns,
  expectRow,
  insertInto,
  type Queryable,
  rowOf,
  selectColumns,
  setColumns,
  type Transaction,
} from '@storekeep/common/postgres'
import sql, { empty } from 'sql-template-tag'
import { claimDue } from '../../db/claim-due.ts'
import type { PaidPeriod, Payment, ProviderName } from '../domain/payment.ts'
import type { PaymentFilter } from '../domain/payment-filter.ts'

export interface NewPayment extends Pick<Payment, keyof typeof newPaymentColumns> {
  /** The shopper's address, normalized by `parseEmailAddress`. */
  foldedEmail: string | null
}

export interface PaymentKey {
  storeId: string
  id: string
  /** Absent: of any provider. */
  provider?: ProviderName
}

/** The subscription that a payment renews. */
export interface RenewedSubscription extends Required<PaymentKey>, Pick<Payment, 'checkoutId' | 'customerId'> {}

/**
 * Inserts a payment, or returns the open payment of the session with the same provider, started again with the shopper's current
 * address and language. The other values of an open payment are not changed.
 */
export async function insertOrFindOpen(db: Queryable, payment: NewPayment): Promise<Payment> {
  const values = rowOf(newPaymentColumns, payment)
  const { foldedEmail: folded_email, createdAt: started_at } = payment
  const inserted = insertInto('payment', [{ ...values, status: 'pending', folded_email, started_at }])
  const rows = await db.query<StoredPayment>(sql`${inserted}
    on conflict (store_id, checkout_id, provider) where status in ('pending', 'processing')
      do update set folded_email = excluded.folded_email, started_at = excluded.started_at,
        locale = excluded.locale
    returning ${paymentColumns}`)
  return toPayment(expectRow(rows))
}

/**
 * Inserts a payment that has renewed a subscription.
 * @returns undefined if it was inserted before
 */
export async function insertRenewalPayment(
  tx: Transaction,
  { id: renewalOf, storeId, checkoutId, customerId, provider }: RenewedSubscription,
  { amount, currency, reference, paymentReference }: PaidPeriod,
  { foldedEmail, locale }: { foldedEmail: string | null; locale: string | null },
  now: Date,
): Promise<Payment | undefined> {
  const [row] = await tx.query<StoredPayment>(sql`
    insert into payment (store_id, checkout_id, customer_id, provider, status, settlement, amount, currency,
      provider_session, provider_reference, renewal_of, folded_email, locale, created_at, succeeded_at)
    values (${storeId}, ${checkoutId}, ${customerId}, ${provider}, 'succeeded', 'pending', ${amount}, ${currency},
      ${reference}, ${paymentReference}, ${renewalOf}, ${foldedEmail}, ${locale}, ${now},
      ${now})
    on conflict (store_id, renewal_of, provider_session) where renewal_of is not null do nothing
    returning ${paymentColumns}`)
  return row && toPayment(row)
}

/**
 * Which of the renewals of a subscription are stored.
 * @param references their invoices at the provider
 */
export async function selectRenewalPayments(
  tx: Transaction,
  { id: renewalOf, storeId }: Pick<RenewedSubscription, 'id' | 'storeId'>,
  references: readonly string[],
): Promise<Payment[]> {
  const rows = await tx.query<StoredPayment>(sql`
    select ${paymentColumns} from payment
    where store_id = ${storeId} and renewal_of = ${renewalOf} and provider_session = any(${references}::text[])`)
  return rows.map(toPayment)
}

/** The payment that a provider knows under its reference. */
export async function findPaymentByReference(
  db: Queryable,
  storeId: string,
  provider: ProviderName,
  reference: string,
): Promise<Payment | undefined> {
  const [row] = await db.query<StoredPayment>(sql`
    select ${paymentColumns} from payment
    where store_id = ${storeId} and provider = ${provider} and provider_reference = ${reference} limit 1`)
  return row && toPayment(row)
}

export async function findPayment(db: Queryable, { storeId, id }: PaymentKey): Promise<Payment | undefined> {
  const [row] = await db.query<StoredPayment>(
    sql`select ${paymentColumns} from payment where store_id = ${storeId} and id = ${id}`,
  )
  return row && toPayment(row)
}

/**
 * Locks the payment until the transaction ends. Locked before its order and its refunds.
 * @throws ServiceFault `not-found`, also for a payment of another provider
 */
export async function lockPayment(tx: Transaction, { storeId, id, provider }: PaymentKey): Promise<Payment> {
  const [row] = await tx.query<StoredPayment>(
    sql`select ${paymentColumns} from payment where store_id = ${storeId} and id = ${id} for no key update`,
  )
  if (!row || (provider !== undefined && row.provider !== provider)) throw errors.notFound('payment')
  return toPayment(row)
}

/** The payments of a session, without renewals, oldest first. */
export async function selectPayments(db: Queryable, storeId: string, checkoutId: string): Promise<Payment[]> {
  const rows = await db.query<StoredPayment>(sql`
    select ${paymentColumns} from payment where store_id = ${storeId} and checkout_id = ${checkoutId} and renewal_of is null order by id`)
  return rows.map(toPayment)
}

/** The rows of one page, in the order in which the plan reads. */
export async function selectPaymentPage(
  db: Queryable,
  storeId: string,
  { checkoutId, status, customerId, email }: PaymentFilter,
  plan: PagePlan,
): Promise<Payment[]> {
  const rows = await db.query<StoredPayment>(sql`
    select ${paymentColumns} from payment
    where store_id = ${storeId} and ${pageCondition(plan)}
      ${checkoutId === undefined ? empty : sql`and checkout_id = ${checkoutId}`}
      ${status === undefined ? empty : sql`and status = ${status}`}
      ${customerId === undefined ? empty : sql`and customer_id = ${customerId}`}
      ${email === undefined ? empty : sql`and folded_email = ${email}`}
    ${pageOrder(plan)} limit ${plan.take}`)
  return rows.map(toPayment)
}

/**
 * Writes the new state of a locked payment.
 * @param nextAt when the task acts on it; null: never
 */
export async function updatePayment(
  tx: Queryable,
  before: Payment,
  changes: Partial<Payment>,
  nextAt: Date | null,
): Promise<Payment> {
  const state = { ...before, ...changes }
  const rows = await tx.query<StoredPayment>(sql`
    update payment set ${setColumns(rowOf(stateColumns, state))}, attempts = 0, next_at = ${nextAt}
    where store_id = ${state.storeId} and id = ${state.id} returning ${paymentColumns}`)
  return toPayment(expectRow(rows))
}

/** Ends an open payment that is no longer wanted. If its money arrives after all, it is refunded. */
export async function cancelPayment(db: Queryable, { storeId, id }: PaymentKey): Promise<void> {
  await db.query(sql`
    update payment set status = 'canceled', request = null, next_at = null
    where store_id = ${storeId} and id = ${id} and status in ('pending', 'processing')`)
}

/** Ends the open manual payment of a session, for which another payment has been received, when the transaction commits. */
export function cancelManualPayment(tx: Transaction, { storeId, checkoutId }: Payment): void {
  tx.enqueueBeforeCommit(sql`
    update payment set status = 'canceled', request = null, next_at = null
    where store_id = ${storeId} and checkout_id = ${checkoutId} and provider = 'manual'
      and status in ('pending', 'processing')`)
}

/** Stores the reference of a payment that was reported without one. */
export async function setReference(db: Queryable, { storeId, id }: PaymentKey, reference: string): Promise<void> {
  await db.query(sql`
    update payment set provider_reference = ${reference}
    where store_id = ${storeId} and id = ${id} and provider_reference is null`)
}

/**
 * Claims due payments for this replica, as `claimDue` does: up to half a minute if checkout must be called, so that the order
 * follows soon after an outage of any length, and up to an hour if the provider is read.
 */
export async function claimDuePayments(db: Queryable, now: Date, limit: number): Promise<Payment[]> {
  const maxSeconds = sql`case when settlement = 'pending' or status = 'processing' and not extended then 30 else 3600 end`
  const rows = await db.query<StoredPayment>(claimDue('payment', paymentColumns, maxSeconds, now, limit))
  return rows.map(toPayment)
}

/**
 * Success times of the oldest payment without an order and the oldest awaiting its refund. Accepted refunds are excluded: a bank
 * payout can take days.
 */
export async function oldestUnsettled(db: Queryable): Promise<Record<'pending' | 'refunding', Date | null>> {
  const rows = await db.query<{ pending: Date | null; refunding: Date | null }>(sql`
    select min(succeeded_at) filter (where settlement = 'pending') as pending,
      min(succeeded_at) filter (where settlement = 'refunding') as refunding
    from payment where settlement in ('pending', 'refunding') and not exists (
      select from refund where refund.store_id = payment.store_id and payment_id = payment.id
        and refund.status = 'pending' and refund.provider_reference is not null)`)
  return expectRow(rows)
}

interface StoredPayment extends Omit<Payment, 'amount'> {
  amount: string
}

function toPayment(stored: StoredPayment): Payment {
  return { ...stored, amount: BigInt(stored.amount) }
}

/** The columns of the values that a payment starts with. */
const newPaymentColumns = {
  storeId: 'store_id',
  checkoutId: 'checkout_id',
  customerId: 'customer_id',
  provider: 'provider',
  amount: 'amount',
  currency: 'currency',
  request: 'request',
  renewalTerms: 'renewal_terms',
  locale: 'locale',
  createdAt: 'created_at',
} as const

const { amount, currency, request } = newPaymentColumns

/** The columns of the values that change. */
const stateColumns = {
  amount,
  currency,
  request,
  status: 'status',
  settlement: 'settlement',
  redirectUrl: 'redirect_url',
  providerSession: 'provider_session',
  providerReference: 'provider_reference',
  failureReason: 'failure_reason',
  orderId: 'order_id',
  markedPaidBy: 'marked_paid_by',
  extended: 'extended',
  providerSubscription: 'provider_subscription',
  disputeReference: 'dispute_reference',
  disputeStatus: 'dispute_status',
  succeededAt: 'succeeded_at',
} as const

const paymentColumns = selectColumns({
  id: 'id',
  ...newPaymentColumns,
  ...stateColumns,
  renewalOf: 'renewal_of',
  startedAt: 'coalesce(started_at, created_at)',
} satisfies Columns<keyof Payment>)
