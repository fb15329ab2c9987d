import { timestampDate } from '@bufbuild/protobuf/wkt'
import { errors, violation } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import type { Tax } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { linesOf } from '../../orders/mappers.ts'
import { assertTestEnabled } from '../../payments/steps/assert-test-enabled.ts'
import type { Origin } from '../../steps/origin.ts'
import { lockSubscription, updateSubscription } from '../db/subscription-repository.ts'
import { endOfPeriod, nextReading, priceOfPeriod, type Subscription } from '../domain/subscription.ts'
import { publishChanged } from '../events/publish.ts'
import { subscriptionToProto } from '../mappers.ts'
import { endSubscription } from '../steps/end-subscription.ts'
import { findPortalSubscription } from '../steps/find-own-subscription.ts'
import { isBanned } from '../steps/is-banned.ts'
import { recordRenewal } from '../steps/record-renewal.ts'
import { taxOfRenewal } from '../steps/tax-of-renewal.ts'

/** Simulates the end of a period: renews the subscription, fails the renewal, or ends the subscription. */
export function advanceTestSubscription(ctx: AppContext): SubscriptionHandlers['advanceTestSubscription'] {
  return async (request, call) => {
    const { subscription: found, origin } = await findPortalSubscription(ctx, call, request)
    if (found.provider !== 'test') throw errors.notFound('test subscription')
    await assertTestEnabled(ctx, found.storeId)
    if (!request.currentPeriodEnd)
      throw errors.validationFailed([violation('current_period_end', 'required', 'is required')])
    const seenEnd = timestampDate(request.currentPeriodEnd)
    const banned = await isBanned(ctx, found, origin)
    const tax = request.approve ? await taxOfRenewal(ctx, found, origin) : undefined
    const after = await ctx.database.transaction(async (tx) => {
      const locked = await lockSubscription(tx, found)
      if (locked.status === 'canceled') throw errors.conflict('The subscription has ended.')
      if (locked.currentPeriodEnd.getTime() !== seenEnd.getTime())
        throw errors.conflict('The subscription has renewed.')
      const reason = banned ? 'banned' : 'requested'
      if (banned || locked.cancelAtPeriodEnd)
        return await endSubscription(ctx, tx, locked, { now: true, reason }, origin)
      return request.approve ? await renew(ctx, tx, locked, tax, origin) : await decline(ctx, tx, locked, origin)
    })
    return { subscription: subscriptionToProto(after) }
  }
}

async function renew(
  ctx: AppContext,
  tx: Transaction,
  locked: Subscription,
  tax: Tax | undefined,
  origin: Origin,
): Promise<Subscription> {
  const { id, createdAt, currency, currentPeriodEnd: start, paidPeriods } = locked
  const end = endOfPeriod(createdAt, locked, paidPeriods + 1)
  const reference = `test_${id}_${paidPeriods + 1}`
  const amount = priceOfPeriod(locked, linesOf(locked), paidPeriods + 1).totalAmount
  return await recordRenewal(
    ctx,
    tx,
    locked,
    { start, end, reference, paymentReference: reference, amount, currency },
    tax,
    origin,
  )
}

async function decline(ctx: AppContext, tx: Transaction, locked: Subscription, origin: Origin): Promise<Subscription> {
  if (locked.status === 'past_due') return locked
  const now = ctx.clock.now()
  const state = { ...locked, status: 'past_due' as const }
  const after = await updateSubscription(tx, locked, state, now, nextReading(state, now))
  await publishChanged(tx, locked, after, origin)
  return after
}
