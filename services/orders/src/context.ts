import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import type { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import type { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import { type CheckoutSessions, connectCheckout } from './adapters/checkout-sessions.ts'
import { connectCustomers, type PortalSessions } from './adapters/portal-sessions.ts'
import type { PaymentProvider } from './adapters/providers/provider.ts'
import { freeProvider, manualProvider, testProvider } from './adapters/providers/simple-providers.ts'
import { createStripeProvider } from './adapters/providers/stripe-provider.ts'
import type { OrdersConfig } from './config.ts'
import type { ProviderName } from './payments/domain/payment.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  sessions: CheckoutSessions
  portalSessions: PortalSessions
  providers: Readonly<Record<ProviderName, PaymentProvider>>
  /** Whether stores can enable the provider `test`. */
  isTestAllowed: boolean
  /** Interval at which interrupted payments and refunds are resumed. */
  sweepMs: number
  /** Closes the connections to other services. */
  closeClients(): void
}

/** The handlers of OrdersService, one per rpc. */
export type OrderHandlers = Handlers<typeof OrdersService>

/** The handlers of SubscriptionsService, one per rpc. */
export type SubscriptionHandlers = Handlers<typeof SubscriptionsService>

/** The handlers of PaymentsService, one per rpc. */
export type PaymentHandlers = Handlers<typeof PaymentsService>

export function createContext(runtime: Runtime, { services, payments }: OrdersConfig): AppContext {
  const checkout = connectCheckout(services.checkout, runtime)
  const customers = connectCustomers(services.customers, runtime)
  return {
    ...runtime,
    sessions: checkout.sessions,
    portalSessions: customers.portalSessions,
    providers: {
      test: testProvider,
      manual: manualProvider,
      free: freeProvider,
      stripe: createStripeProvider(payments.stripeBaseUrl, runtime.log),
    },
    isTestAllowed: payments.isTestAllowed,
    sweepMs: payments.sweepMs,
    closeClients() {
      checkout.close()
      customers.close()
    },
  }
}
