import type { Transaction } from '@storekeep/common/postgres'
import type { CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import type { Payment } from '../../payments/domain/payment.ts'
import { canRenew } from '../../payments/domain/payment.ts'
import type { Origin } from '../../steps/origin.ts'
import { insertSubscription } from '../db/subscription-repository.ts'
import { endOfPeriod, type Subscription } from '../domain/subscription.ts'
import { publishStarted } from '../events/publish.ts'
import { addedTaxRateOf, renewalTermsOf, renewingLines } from '../mappers.ts'

/**
 * Starts the subscription of a session, in the transaction of its first order. Its first period begins now, until its provider
 * reports another one.
 * @returns undefined if no line of the session is a subscription
 */
export async function startSubscription(
  tx: Transaction,
  { provider, providerSubscription }: Payment,
  session: CheckoutSession,
  now: Date,
  origin: Origin,
): Promise<Subscription | undefined> {
  const terms = renewalTermsOf(session)
  if (!terms || !canRenew(provider)) return undefined
  const { intervalValue, intervalScale, discountedPeriods } = terms
  const interval = { intervalValue, intervalScale }
  const { storeId, customerId, id: checkoutId, currency, couponId = null } = session
  const given = { storeId, customerId, checkoutId, currency, couponId, provider, discountedPeriods }
  const subscription = await insertSubscription(tx, {
    ...given,
    ...interval,
    addedTaxRate: addedTaxRateOf(session.tax),
    lines: renewingLines(session),
    providerReference: providerSubscription,
    currentPeriodStart: now,
    currentPeriodEnd: endOfPeriod(now, interval, 1),
    createdAt: now,
    nextAt: providerSubscription === null ? null : now,
  })
  await publishStarted(tx, subscription, origin)
  return subscription
}
