import { cutPage, type PagePlan, pageCondition, pageOrder, planPage } from '@storekeep/common/page'
import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import { pageLimits } from '@storekeep/proto/conventions/limits'
import sql, { empty, raw } from 'sql-template-tag'
import { claimDue } from '../../db/claim-due.ts'
import type { ProviderName } from '../../payments/domain/payment.ts'
import type { Subscription, SubscriptionState } from '../domain/subscription.ts'
import type { SubscriptionFilter } from '../domain/subscription-filter.ts'

type Initial = 'id' | 'status' | 'paidPeriods' | 'cancelAtPeriodEnd' | 'cancellationReason' | 'canceledAt'

export interface NewSubscription extends Omit<Subscription, Initial | 'updatedAt' | 'version'> {
  /** When the task reads it; null: never. */
  nextAt: Date | null
}

export interface SubscriptionKey {
  storeId: string
  id: string
}

export async function insertSubscription(tx: Transaction, subscription: NewSubscription): Promise<Subscription> {
  const rows = await tx.query<Subscription>(sql`
    insert into subscription (store_id, customer_id, checkout_id, currency, lines, coupon_id, interval_value,
      interval_scale, discounted_periods, added_tax_rate, provider, provider_reference, current_period_start,
      current_period_end, next_at, created_at)
    values (${subscription.storeId}, ${subscription.customerId}, ${subscription.checkoutId}, ${subscription.currency},
      ${JSON.stringify(subscription.lines)}, ${subscription.couponId}, ${subscription.intervalValue},
      ${subscription.intervalScale}, ${subscription.discountedPeriods}, ${subscription.addedTaxRate},
      ${subscription.provider},
      ${subscription.providerReference}, ${subscription.currentPeriodStart}, ${subscription.currentPeriodEnd},
      ${subscription.nextAt}, ${subscription.createdAt})
    returning ${subscriptionColumns}`)
  return expectRow(rows)
}

export async function findSubscription(
  db: Queryable,
  { storeId, id }: SubscriptionKey,
): Promise<Subscription | undefined> {
  const [row] = await db.query<Subscription>(
    sql`select ${subscriptionColumns} from subscription where store_id = ${storeId} and id = ${id}`,
  )
  return row
}

/** The subscription that a provider knows under its reference. */
export async function findSubscriptionByReference(
  db: Queryable,
  storeId: string,
  provider: ProviderName,
  reference: string,
): Promise<Subscription | undefined> {
  const [row] = await db.query<Subscription>(sql`
    select ${subscriptionColumns} from subscription
    where store_id = ${storeId} and provider = ${provider} and provider_reference = ${reference}`)
  return row
}

/** Locks the subscription until the transaction ends. Locked before its payments and orders. */
export async function lockSubscription(tx: Transaction, { storeId, id }: SubscriptionKey): Promise<Subscription> {
  const rows = await tx.query<Subscription>(
    sql`select ${subscriptionColumns} from subscription where store_id = ${storeId} and id = ${id} for no key update`,
  )
  return expectRow(rows)
}

/**
 * Writes the new state of a locked subscription and increments its version.
 * @param nextAt when the task reads it; null: never
 */
export async function updateSubscription(
  tx: Transaction,
  { storeId, id }: SubscriptionKey,
  state: SubscriptionState,
  now: Date,
  nextAt: Date | null,
): Promise<Subscription> {
  const rows = await tx.query<Subscription>(sql`
    update subscription set status = ${state.status}, paid_periods = ${state.paidPeriods},
      current_period_start = ${state.currentPeriodStart}, current_period_end = ${state.currentPeriodEnd},
      cancel_at_period_end = ${state.cancelAtPeriodEnd}, cancellation_reason = ${state.cancellationReason},
      canceled_at = ${state.canceledAt}, updated_at = ${now}, attempts = 0, next_at = ${nextAt}, version = version + 1
    where store_id = ${storeId} and id = ${id} returning ${subscriptionColumns}`)
  return expectRow(rows)
}

/** Sets when the task reads a subscription that has not changed. */
export async function scheduleSubscription(
  tx: Transaction,
  { storeId, id }: SubscriptionKey,
  nextAt: Date | null,
): Promise<void> {
  await tx.query(
    sql`update subscription set attempts = 0, next_at = ${nextAt} where store_id = ${storeId} and id = ${id}`,
  )
}

/** The rows of one page, in the order in which the plan reads. */
export async function selectSubscriptions(
  db: Queryable,
  storeId: string,
  { status, customerId }: SubscriptionFilter,
  plan: PagePlan,
): Promise<Subscription[]> {
  return await db.query<Subscription>(sql`
    select ${subscriptionColumns} from subscription
    where store_id = ${storeId} and ${pageCondition(plan)}
      ${status === undefined ? empty : sql`and status = ${status}`}
      ${customerId === undefined ? empty : sql`and customer_id = ${customerId}`}
    ${pageOrder(plan)} limit ${plan.take}`)
}

/** The subscriptions of a customer, newest first, at most 100. */
export async function listNewestSubscriptions(db: Queryable, storeId: string, customerId: string) {
  const plan = planPage({ limit: pageLimits.max, asc: false })
  return cutPage(plan, await selectSubscriptions(db, storeId, { customerId, status: undefined }, plan)).rows
}

export async function claimDueSubscriptions(db: Queryable, now: Date, limit: number): Promise<Subscription[]> {
  return await db.query<Subscription>(claimDue('subscription', subscriptionColumns, sql`3600`, now, limit))
}

export const subscriptionColumns =
  raw(`id, store_id as "storeId", customer_id as "customerId", checkout_id as "checkoutId",
  status, currency, lines, coupon_id as "couponId", interval_value as "intervalValue",
  interval_scale as "intervalScale", discounted_periods as "discountedPeriods", added_tax_rate as "addedTaxRate", provider,
  provider_reference as "providerReference", paid_periods as "paidPeriods",
  current_period_start as "currentPeriodStart", current_period_end as "currentPeriodEnd",
  cancel_at_period_end as "cancelAtPeriodEnd", cancellation_reason as "cancellationReason",
  canceled_at as "canceledAt", created_at as "createdAt", updated_at as "updatedAt", version`)
