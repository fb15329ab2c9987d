import type { Runtime } from '@storekeep/common/service'
import { connectServices, type OtherServices } from './adapters/connect-services.ts'
import type { CheckoutConfig } from './config.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  others: OtherServices
  /** Without a slash at its end. */
  checkoutBaseUrl: string
  /** Closes the connections to other services. */
  closeClients(): void
}

export function createContext(runtime: Runtime, config: CheckoutConfig): AppContext {
  const { others, close } = connectServices(config.services)
  return {
    ...runtime,
    others,
    checkoutBaseUrl: config.checkout.baseUrl.replace(/\/+$/, ''),
    closeClients: close,
  }
}
