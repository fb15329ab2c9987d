import type { AppContext } from '../../context.ts'
import type { Origin } from '../../steps/origin.ts'
import { lockSubscription } from '../db/subscription-repository.ts'
import { banCheckMs, type Subscription } from '../domain/subscription.ts'
import { endAtProvider, endSubscription } from './end-subscription.ts'
import { isBanned } from './is-banned.ts'
import { syncSubscription } from './sync-subscription.ts'

/**
 * Acts on a due subscription: stops the renewal for a banned customer before the period ends, ends a subscription of the test provider with
 * its period, or reads the provider. Never throws; the task retries.
 */
export async function resumeSubscription(ctx: AppContext, subscription: Subscription, origin: Origin): Promise<void> {
  const { storeId, id: subscriptionId, status, provider, cancelAtPeriodEnd, currentPeriodEnd } = subscription
  const leftMs = currentPeriodEnd.getTime() - ctx.clock.now().getTime()
  try {
    if (provider === 'test') return await endWithPeriod(ctx, subscription, origin)
    const isRenewing = status !== 'canceled' && !cancelAtPeriodEnd
    if (isRenewing && leftMs <= banCheckMs && (await isBanned(ctx, subscription, origin))) {
      await endAtProvider(ctx, subscription, { now: false, reason: 'banned' }, origin)
    }
    await syncSubscription(ctx, subscription, origin)
  } catch (error) {
    const fields = { store_id: storeId, subscription_id: subscriptionId }
    ctx.log.warn({ err: error, ...fields }, 'subscription resume failed: retrying')
  }
}

async function endWithPeriod(ctx: AppContext, subscription: Subscription, origin: Origin): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const locked = await lockSubscription(tx, subscription)
    if (!locked.cancelAtPeriodEnd || locked.currentPeriodEnd > ctx.clock.now()) return
    await endSubscription(ctx, tx, locked, { now: true, reason: 'requested' }, origin)
  })
}
