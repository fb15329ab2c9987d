import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import type { AppContext } from '../../context.ts'
import { type Origin, originOf } from '../../steps/origin.ts'
import { findSubscription } from '../db/subscription-repository.ts'
import type { Subscription } from '../domain/subscription.ts'

/**
 * The subscription of the customer of a portal session, and the origin of changes that the customer makes to it.
 * @throws ServiceFault `unauthorized` and `service-unavailable` as `PortalSessions.customerOf`, `not-found`
 */
export async function findPortalSubscription(
  ctx: AppContext,
  call: Call,
  { subscriptionId, portalSecret }: { subscriptionId: string; portalSecret: string },
): Promise<{ subscription: Subscription; origin: Origin }> {
  const customerId = await ctx.portalSessions.customerOf(portalSecret, call)
  const subscription = await findOwnSubscription(ctx, call, customerId, subscriptionId)
  return { subscription, origin: { ...originOf(call), actor: { type: ActorType.CUSTOMER, id: customerId } } }
}

/** @throws ServiceFault `not-found`, also for a subscription of another customer */
export async function findOwnSubscription(
  ctx: AppContext,
  call: Call,
  customerId: string,
  subscriptionId: string,
): Promise<Subscription> {
  const key = { storeId: requireStore(call), id: requireFlakeId('subscription_id', subscriptionId) }
  const found = await findSubscription(ctx.database, key)
  if (found?.customerId !== customerId) throw errors.notFound('subscription')
  return found
}
