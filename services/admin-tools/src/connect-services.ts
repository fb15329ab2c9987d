import { randomUUID } from 'node:crypto'
import { isFault } from '@storekeep/common/errors'
import { createClient, createGrpcTransport, isRejected, type Transport } from '@storekeep/common/grpc'
import { type ProcessIdentity, readIdentity } from '@storekeep/common/identity'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { OperationsService } from '@storekeep/proto/common/v1/operations_service'
import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { SearchService } from '@storekeep/proto/search/v1/search_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { ListeningService } from '@storekeep/proto/webhooks/v1/listening_service'
import { AdminError, type Services } from './command.ts'
import type { AdminConfig, AdminService } from './config.ts'

/**
 * Clients of the services of each cell. A client connects on its first call, so a command needs only the services that it calls.
 */
export function connectServices({ identity: config, cells }: AdminConfig): {
  /** By the number of the cell. */
  cells: ReadonlyMap<number, Services>
  close(): void
} {
  const identity = readIdentity('admin-tools', config)
  const connected = [...cells].map(([cell, addresses]) => {
    const place = cells.size > 1 ? ` of cell ${cell}` : ''
    return [cell, connectCell(addresses, identity, place)] as const
  })
  return {
    cells: new Map(connected.map(([cell, { services }]) => [cell, services])),
    close() {
      for (const [, { close }] of connected) close()
    },
  }
}

function connectCell(
  addresses: Readonly<Record<AdminService, string>>,
  identity: ProcessIdentity,
  place: string,
): { services: Services; close(): void } {
  const connect = (to: ServerName, address: string) =>
    explainUnavailable(`The ${to} service${place} at ${address}`, createGrpcTransport({ to, address, identity }))
  const transports = {
    stores: connect('stores', addresses.stores),
    customers: connect('customers', addresses.customers),
    bans: connect('bans', addresses.bans),
    coupons: connect('coupons', addresses.coupons),
    checkout: connect('checkout', addresses.checkout),
    orders: connect('orders', addresses.orders),
    delivery: connect('delivery', addresses.delivery),
    emails: connect('emails', addresses.emails),
    webhooks: connect('webhooks', addresses.webhooks),
    images: connect('images', addresses.images),
    search: connect('search', addresses.search),
  }
  // orders consumes no events, so it has no dead letters to replay.
  const { orders, ...consumers } = transports
  const operations = Object.entries(consumers).map(
    ([name, transport]) => [name, createClient(OperationsService, transport)] as const,
  )
  return {
    services: {
      stores: createClient(StoresService, transports.stores),
      customers: createClient(CustomersService, transports.customers),
      checkout: createClient(CheckoutService, transports.checkout),
      payments: createClient(PaymentsService, orders),
      listening: createClient(ListeningService, transports.webhooks),
      search: createClient(SearchService, transports.search),
      operations: new Map(operations),
      call: (storeId) => ({
        storeId,
        actor: { type: ActorType.ADMIN },
        requestId: randomUUID(),
        traceparent: formatTraceparent(childContext()),
        // A new key for every call makes a retry after a lost response safe.
        idempotency: { key: randomUUID(), scope: 'admin' },
        deadlineMs: 10_000,
      }),
    },
    close() {
      for (const transport of Object.values(transports)) transport.close()
    },
  }
}

/** Turns "unavailable" into an error that names the service and its address. */
function explainUnavailable(service: string, transport: Transport): Transport {
  return {
    ...transport,
    unary: async (method, request, options) => {
      try {
        return await transport.unary(method, request, options)
      } catch (error) {
        if (!isFault(error, 'service-unavailable')) throw error
        const message = isRejected(error)
          ? `${service} rejected the call. Do CALL_KEYS or the certificate belong to admin-tools?`
          : `${service} is unreachable or not ready. Is Storekeep running?`
        throw new AdminError(message, { cause: error })
      }
    },
  }
}
