import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { subscriptionToProto } from '../mappers.ts'
import { findOfCustomer } from '../steps/find-of-customer.ts'

export function getCustomerSubscription(ctx: AppContext): SubscriptionHandlers['getCustomerSubscription'] {
  return async (request, call) => ({ subscription: subscriptionToProto(await findOfCustomer(ctx, call, request)) })
}
