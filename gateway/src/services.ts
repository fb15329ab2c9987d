import { type Client, createClient, createGrpcTransport, type UnaryService } from '@storekeep/common/grpc'
import type { ProcessIdentity } from '@storekeep/common/identity'
import type { Metrics } from '@storekeep/common/telemetry'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import { SearchService } from '@storekeep/proto/search/v1/search_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { DeliveriesService } from '@storekeep/proto/webhooks/v1/deliveries_service'
import { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import { addressSettings } from './address-settings.ts'

/** The services behind the gateway. Each entry adds a client to the context (`ctx.customVariables`). */
export const services = {
  stores: StoresService,
  customers: CustomersService,
  bans: BansService,
  customVariables: CustomVariablesService,
  coupons: CouponsService,
  affiliateLinks: AffiliateLinksService,
  checkout: CheckoutService,
  products: ProductsService,
  orders: OrdersService,
  payments: PaymentsService,
  subscriptions: SubscriptionsService,
  webhooks: WebhooksService,
  webhookDeliveries: DeliveriesService,
  search: SearchService,
} as const satisfies Record<ProcessName, UnaryService> & Record<string, UnaryService>

export type ServiceName = keyof typeof services

export const serviceNames = Object.keys(services) as ServiceName[]

/** Each process is named after its main service. */
export type ProcessName = keyof typeof addressSettings

export const processNames = Object.keys(addressSettings) as ProcessName[]

/** Services that run in the process of another one. */
const hostedBy = {
  affiliateLinks: 'coupons',
  products: 'checkout',
  payments: 'orders',
  subscriptions: 'orders',
  webhookDeliveries: 'webhooks',
} as const satisfies Record<Exclude<ServiceName, ProcessName>, ProcessName>

/** The process that a service runs in. */
function processOf(name: ServiceName): ProcessName {
  return name in hostedBy ? hostedBy[name as keyof typeof hostedBy] : (name as ProcessName)
}

/** Creates the clients. The deadline is set per call, retries by the transport (`@storekeep/common/grpc`). */
export function connectServices(
  addresses: Record<ProcessName, string>,
  { metrics, identity }: { metrics: Metrics; identity: ProcessIdentity },
): { clients: Clients; close(): void } {
  const transports = new Map(
    processNames.map((name) => [
      name,
      createGrpcTransport({
        to: name === 'customVariables' ? 'custom-variables' : name,
        address: addresses[name],
        identity,
        metrics,
      }),
    ]),
  )
  const clients = serviceNames.map((name) => {
    const transport = transports.get(processOf(name))
    if (!transport) throw new Error(`no process serves ${name}`)
    return [name, createClient<UnaryService>(services[name], transport)]
  })
  return {
    clients: Object.fromEntries(clients) as Clients,
    close() {
      for (const transport of transports.values()) transport.close()
    },
  }
}

export type Clients = { [Name in ServiceName]: Client<(typeof services)[Name]> }
