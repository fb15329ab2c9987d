import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { advanceTestSubscription } from './advance-test-subscription.ts'
import { cancelCustomerSubscription } from './cancel-customer-subscription.ts'
import { cancelSubscription } from './cancel-subscription.ts'
import { getCustomerSubscription } from './get-customer-subscription.ts'
import { getSubscription } from './get-subscription.ts'
import { listCustomerSubscriptions } from './list-customer-subscriptions.ts'
import { listSubscriptions } from './list-subscriptions.ts'
import { startPaymentMethodUpdate } from './start-payment-method-update.ts'

export function createSubscriptionHandlers(ctx: AppContext): SubscriptionHandlers {
  return {
    getSubscription: getSubscription(ctx),
    listSubscriptions: listSubscriptions(ctx),
    cancelSubscription: cancelSubscription(ctx),
    listCustomerSubscriptions: listCustomerSubscriptions(ctx),
    getCustomerSubscription: getCustomerSubscription(ctx),
    cancelCustomerSubscription: cancelCustomerSubscription(ctx),
    startPaymentMethodUpdate: startPaymentMethodUpdate(ctx),
    advanceTestSubscription: advanceTestSubscription(ctx),
  }
}
