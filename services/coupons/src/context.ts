import { createClient, createGrpcTransport } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { type CustomerDirectory, createCustomerDirectory } from './adapters/customer-directory.ts'
import type { CouponsConfig } from './config.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  customers: CustomerDirectory
  /** Closes the connections to other services. */
  closeClients(): void
}

export function createContext(runtime: Runtime, config: CouponsConfig): AppContext {
  const toCustomers = createGrpcTransport({ address: config.customers.address })
  return {
    ...runtime,
    customers: createCustomerDirectory(createClient(CustomersService, toCustomers)),
    closeClients: () => toCustomers.close(),
  }
}
