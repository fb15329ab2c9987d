import { errors } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import type { Origin } from '../../steps/origin.ts'
import {
  findSubscription,
  lockSubscription,
  type SubscriptionKey,
  updateSubscription,
} from '../db/subscription-repository.ts'
import { type CancellationReason, nextReading, type Subscription } from '../domain/subscription.ts'
import { publishChanged } from '../events/publish.ts'

/**
 * Ends a subscription at its provider, then here: if this process is killed in between, the next sync ends it here.
 * A subscription that is past due ends immediately, since its paid period is over. Idempotent.
 * @throws ServiceFault `not-found`, `service-unavailable`
 */
export async function endAtProvider(
  ctx: AppContext,
  key: SubscriptionKey,
  given: Ending,
  origin: Origin,
): Promise<Subscription> {
  const before = await findSubscription(ctx.database, key)
  if (!before) throw errors.notFound('subscription')
  const { status, provider, providerReference } = before
  if (status === 'canceled') return before
  const ending = { ...given, now: given.now || status === 'past_due' }
  if (providerReference !== null) {
    const { providers } = await ctx.providers.forStore(key.storeId)
    await providers[provider].subscriptions?.cancel(providerReference, ending.now)
  }
  return await ctx.database.transaction(async (tx) =>
    endSubscription(ctx, tx, await lockSubscription(tx, key), ending, origin),
  )
}

/** Ends a locked subscription, now or with its period. Changes nothing if it has ended or is going to end in this way. */
export async function endSubscription(
  ctx: AppContext,
  tx: Transaction,
  subscription: Subscription,
  { now: isNow, reason }: Ending,
  origin: Origin,
): Promise<Subscription> {
  if (subscription.status === 'canceled' || (!isNow && subscription.cancelAtPeriodEnd)) return subscription
  const now = ctx.clock.now()
  const cancellationReason = subscription.cancellationReason ?? reason
  const ending = isNow ? ({ status: 'canceled', canceledAt: now } as const) : { cancelAtPeriodEnd: true }
  const state = { ...subscription, ...ending, cancellationReason }
  const after = await updateSubscription(tx, subscription, state, now, nextReading(state, now))
  await publishChanged(tx, subscription, after, origin)
  return after
}

export interface Ending {
  now: boolean
  reason: CancellationReason
}
