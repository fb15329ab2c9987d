import { errors } from '@storekeep/common/errors'
import type { AppContext } from '../../context.ts'
import type { Origin } from '../../steps/origin.ts'
import { findSubscription, lockSubscription, type SubscriptionKey } from '../db/subscription-repository.ts'
import type { Subscription } from '../domain/subscription.ts'
import { type Ending, endSubscription } from './end-subscription.ts'

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
