import { type Client, createClient, createGrpcTransport, type UnaryService } from '@storekeep/common/grpc'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'

/**
 * The services behind the gateway. A line here gives handlers the client (`ctx.customVariables`) and the settings the
 * address (`CUSTOM_VARIABLES_ADDRESS`).
 */
export const services = {
  stores: StoresService,
  customers: CustomersService,
  bans: BansService,
  checkout: CheckoutService,
  products: ProductsService,
} as const

/** Those that the process of another one answers, at its address. */
export const hosts: Partial<Record<ServiceName, ServiceName>> = { products: 'checkout' }

export type ServiceName = keyof typeof services

export const serviceNames = Object.keys(services) as ServiceName[]

/** Deadlines come with each call, retries with the transport (`@storekeep/common/grpc`). */
export function connectServices(addresses: Record<ServiceName, string>): { clients: Clients; close(): void } {
  const transports = serviceNames.map((name) => ({
    name,
    transport: createGrpcTransport({ address: addresses[name] }),
  }))
  const clients = transports.map(({ name, transport }) => [name, createClient<UnaryService>(services[name], transport)])
  return {
    clients: Object.fromEntries(clients) as Clients,
    close() {
      for (const { transport } of transports) transport.close()
    },
  }
}

export type Clients = { [Name in ServiceName]: Client<(typeof services)[Name]> }
