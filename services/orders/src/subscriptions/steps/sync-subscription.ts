import { isDeepStrictEqual } from 'node:util'
import { errors } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import type { Tax } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext } from '../../context.ts'
import { selectRenewalPayments, setReference } from '../../payments/db/payment-repository.ts'
import type { PaidPeriod } from '../../payments/domain/payment.ts'
import type { Origin } from '../../steps/origin.ts'
import {
  findSubscription,
  lockSubscription,
  type SubscriptionKey,
  scheduleSubscription,
  updateSubscription,
} from '../db/subscription-repository.ts'
import { nextReading, type Subscription, type SubscriptionReport, stateAfter } from '../domain/subscription.ts'
import { publishChanged } from '../events/publish.ts'
import { recordRenewal } from './record-renewal.ts'
import { taxOfRenewal } from './tax-of-renewal.ts'

/**
 * Reads a subscription at its provider and stores the changes: paid periods become orders. Webhooks only trigger the read, so they
 * may be lost, repeated and reordered. A state that was read before a concurrent change was stored
 * is read again.
 * @throws ServiceFault `not-found`, `service-unavailable`
 */
export async function syncSubscription(ctx: AppContext, key: SubscriptionKey, origin: Origin): Promise<Subscription> {
  const { providers } = await ctx.providers.forStore(key.storeId)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = await findSubscription(ctx.database, key)
    if (!before) throw errors.notFound('subscription')
    const read = providers[before.provider].subscriptions?.read
    if (!read || before.providerReference === null) return before
    const report = await read(before.providerReference)
    const tax = report.renewals.length > 0 ? await taxOfRenewal(ctx, before, origin) : undefined
    const after = await ctx.database.transaction(async (tx) => {
      const locked = await lockSubscription(tx, key)
      return locked.version === before.version ? await apply(ctx, tx, locked, { report, tax }, origin) : undefined
    })
    if (after) return after
  }
  throw errors.unavailable(new Error('the subscription keeps changing'))
}

async function apply(
  ctx: AppContext,
  tx: Transaction,
  locked: Subscription,
  { report, tax }: { report: SubscriptionReport; tax: Tax | undefined },
  origin: Origin,
): Promise<Subscription> {
  let subscription = locked
  for (const period of await newRenewals(tx, locked, report)) {
    subscription = await recordRenewal(ctx, tx, subscription, period, tax, origin)
  }
  const now = ctx.clock.now()
  const state = stateAfter(subscription, report, now)
  const nextAt = nextReading(state, now)
  if (isDeepStrictEqual(state, subscription)) {
    await scheduleSubscription(tx, subscription, nextAt)
    return subscription
  }
  const after = await updateSubscription(tx, subscription, state, now, nextAt)
  await publishChanged(tx, subscription, after, origin)
  return after
}

/** The renewals that are not stored, oldest first. Stores the payments of the others that the provider has named since. */
async function newRenewals(
  tx: Transaction,
  subscription: Subscription,
  { renewals }: SubscriptionReport,
): Promise<PaidPeriod[]> {
  if (renewals.length === 0) return []
  const references = renewals.map(({ reference }) => reference)
  const stored = new Map(
    (await selectRenewalPayments(tx, subscription, references)).map((payment) => [payment.providerSession, payment]),
  )
  for (const { reference, paymentReference } of renewals) {
    const payment = stored.get(reference)
    if (payment?.providerReference === null && paymentReference !== null) {
      await setReference(tx, payment, paymentReference)
    }
  }
  return renewals
    .filter(({ reference }) => !stored.has(reference))
    .sort((a, b) => a.start.getTime() - b.start.getTime())
}
