import { randomUUID } from 'node:crypto'
import { ServiceFault } from '@storekeep/common/errors'
import { createClient, createGrpcTransport, type Transport } from '@storekeep/common/grpc'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { readTlsIdentity, type TlsIdentity } from '@storekeep/common/tls'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { OperationsService } from '@storekeep/proto/common/v1/operations_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { SearchService } from '@storekeep/proto/search/v1/search_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { AdminError, type Services } from './command.ts'
import type { AdminConfig } from './config.ts'

/** Clients of the services. They connect when first used, so a command needs only those that it calls. */
export function connectServices({ tls: files, ...addresses }: AdminConfig): { services: Services; close(): void } {
  const tls = files && readTlsIdentity(files)
  const stores = connect('stores', addresses.stores, tls)
  const customers = connect('customers', addresses.customers, tls)
  const coupons = connect('coupons', addresses.coupons, tls)
  const checkout = connect('checkout', addresses.checkout, tls)
  const search = connect('search', addresses.search, tls)
  return {
    services: {
      stores: createClient(StoresService, stores),
      customers: createClient(CustomersService, customers),
      checkout: createClient(CheckoutService, checkout),
      search: createClient(SearchService, search),
      operations: new Map([
        ['stores', createClient(OperationsService, stores)],
        ['customers', createClient(OperationsService, customers)],
        ['coupons', createClient(OperationsService, coupons)],
        ['checkout', createClient(OperationsService, checkout)],
        ['search', createClient(OperationsService, search)],
      ]),
      call: (storeId) => ({
        storeId,
        actor: { type: ActorType.ADMIN },
        requestId: randomUUID(),
        traceparent: formatTraceparent(childContext()),
        // New for every call: it makes a retry after a lost answer safe.
        idempotency: { key: randomUUID(), scope: 'admin' },
        deadlineMs: 10_000,
      }),
    },
    close() {
      stores.close()
      customers.close()
      coupons.close()
      checkout.close()
      search.close()
    },
  }
}

/** Calls that nobody answers become an error that says who should have. */
function connect(name: string, address: string, tls: TlsIdentity | undefined): Transport {
  const transport = createGrpcTransport({ address, tls })
  return {
    ...transport,
    unary: async (method, request, options) => {
      try {
        return await transport.unary(method, request, options)
      } catch (error) {
        if (!(error instanceof ServiceFault) || error.code !== 'service-unavailable') throw error
        const message = `The ${name} service at ${address} does not answer or is not ready. Is Storekeep running?`
        throw new AdminError(message, { cause: error })
      }
    },
  }
}
