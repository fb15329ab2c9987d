import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'
import { findSubscription } from '../db/subscription-repository.ts'
import type { Subscription } from '../domain/subscription.ts'

/** @throws ServiceFault `not-found`, also for a subscription of another customer */
export async function findOfCustomer(
  ctx: AppContext,
  call: Call,
  { subscriptionId, customerId }: { subscriptionId: string; customerId: string },
): Promise<Subscription> {
  const key = { storeId: requireStore(call), id: requireFlakeId('subscription_id', subscriptionId) }
  const found = await findSubscription(ctx.database, key)
  if (found?.customerId !== customerId) throw errors.notFound('subscription')
  return found
}
