import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import type { Origin } from '../../steps/origin.ts'
import { updateSubscription } from '../db/subscription-repository.ts'
import type { CancellationReason, Subscription } from '../domain/subscription.ts'
import { nextReading } from '../domain/subscription.ts'
import { publishChanged } from '../events/publish.ts'

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
