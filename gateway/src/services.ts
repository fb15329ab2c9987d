import { type Client, createClient, createGrpcTransport, type UnaryService } from '@storekeep/common/grpc'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
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
  customVariables: CustomVariablesService,
} as const

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
