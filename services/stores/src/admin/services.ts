import { randomUUID } from 'node:crypto'
import { ServiceFault } from '@storekeep/common/errors'
import { createClient, createGrpcTransport, type Transport } from '@storekeep/common/grpc'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { AdminError, type Services } from './command.ts'
import type { AdminConfig } from './config.ts'

/** Clients of the services. They connect when first used, so a command needs only those that it calls. */
export function connectServices(addresses: AdminConfig): { services: Services; close(): void } {
  const stores = createGrpcTransport({ address: addresses.stores })
  const customers = createGrpcTransport({ address: addresses.customers })
  return {
    services: {
      stores: createClient(StoresService, sayingWho(stores, `stores service at ${addresses.stores}`)),
      customers: createClient(CustomersService, sayingWho(customers, `customers service at ${addresses.customers}`)),
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
    },
  }
}

/** Calls that nobody answered become an error that says who should have. */
function sayingWho(transport: Transport, who: string): Transport {
  return {
    ...transport,
    unary: async (method, request, options) => {
      try {
        return await transport.unary(method, request, options)
      } catch (error) {
        if (!(error instanceof ServiceFault) || error.code !== 'service-unavailable') throw error
        throw new AdminError(`The ${who} does not answer or is not ready. Is Storekeep running?`, { cause: error })
      }
    },
  }
}
