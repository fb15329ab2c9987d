import { isDeepStrictEqual } from 'node:util'
import { errors } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { findSettings } from '../../db/settings-repository.ts'
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

/**
 * Reads a subscription at its provider and stores what is new there: paid periods become orders. Webhooks only say that there is
 * something to read, so they may be lost, repeated and reordered. A state that was read before a concurrent change was stored
 * is read again.
 * @throws ServiceFault `not-found`, `service-unavailable`
 */
export async function syncSubscription(ctx: AppContext, key: SubscriptionKey, origin: Origin): Promise<Subscription> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = await findSubscription(ctx.database, key)
    if (!before) throw errors.notFound('subscription')
    const read = ctx.providers[before.provider].subscriptions?.read
    if (!read || before.providerReference === null) return before
    const settings = await findSettings(ctx.database, ctx.secrets, key.storeId)
    const report = await read(before.providerReference, settings)
    const after = await ctx.database.transaction(async (tx) => {
      const locked = await lockSubscription(tx, key)
      return locked.version === before.version ? await apply(ctx, tx, locked, report, origin) : undefined
    })
    if (after) return after
  }
  throw errors.unavailable(new Error('the subscription keeps changing'))
}

async function apply(
  ctx: AppContext,
  tx: Transaction,
  locked: Subscription,
  report: SubscriptionReport,
  origin: Origin,
): Promise<Subscription> {
  let subscription = locked
  const renewals = report.renewals.toSorted((a, b) => a.start.getTime() - b.start.getTime())
  for (const period of renewals) subscription = await recordRenewal(ctx, tx, subscription, period, origin)
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
