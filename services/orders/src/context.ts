import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import type { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import type { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import { type CheckoutSessions, connectCheckout } from './adapters/checkout-sessions.ts'
import { connectCustomers, type PortalSessions } from './adapters/portal-sessions.ts'
import { bindProviders, type StoreProviders } from './adapters/providers/store-providers.ts'
import type { OrdersConfig } from './config.ts'
import { findSettings } from './payments/db/settings-repository.ts'
import type { OfferedProvider } from './payments/domain/payment.ts'
import { enabledProviders, type PaymentSettings } from './payments/domain/payment-settings.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  sessions: CheckoutSessions
  portalSessions: PortalSessions
  providers: {
    /** Reads the settings of a store, once for all that a call does, and binds the providers to its credentials. */
    forStore(storeId: string): Promise<PaidStore>
  }
  /** Whether stores can enable the provider `test`. */
  isTestAllowed: boolean
  /** Interval at which interrupted payments and refunds are resumed. */
  sweepMs: number
  /** Interval at which secrets of an earlier encryption key are encrypted again. */
  reencryptMs: number
  /** Closes the connections to other services. */
  closeClients(): void
}

/** How a store is paid. */
export interface PaidStore {
  settings: PaymentSettings
  /** The providers that shoppers can use, in the order in which they are offered. */
  enabled: readonly OfferedProvider[]
  providers: StoreProviders
}

/** The handlers of OrdersService, one per rpc. */
export type OrderHandlers = Handlers<typeof OrdersService>

/** The handlers of SubscriptionsService, one per rpc. */
export type SubscriptionHandlers = Handlers<typeof SubscriptionsService>

/** The handlers of PaymentsService, one per rpc. */
export type PaymentHandlers = Handlers<typeof PaymentsService>

export function createContext(runtime: Runtime, config: OrdersConfig): AppContext {
  const { services, payments, sweep, reencryptMs } = config
  const checkout = connectCheckout(services.checkout, runtime)
  const customers = connectCustomers(services.customers, runtime)
  return {
    ...runtime,
    sessions: checkout.sessions,
    portalSessions: customers.portalSessions,
    providers: {
      async forStore(storeId) {
        const settings = await findSettings(runtime.database, storeId)
        const enabled = enabledProviders(settings, payments.isTestAllowed)
        return { settings, enabled, providers: bindProviders({ ...runtime, ...payments }, storeId, settings) }
      },
    },
    isTestAllowed: payments.isTestAllowed,
    sweepMs: sweep.intervalMs,
    reencryptMs,
    closeClients() {
      checkout.close()
      customers.close()
    },
  }
}
