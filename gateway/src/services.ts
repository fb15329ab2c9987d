import type { CellAddresses } from '@storekeep/common/config'
import {
  type CellConnections,
  type Client,
  connectCells,
  createClient,
  type UnaryService,
} from '@storekeep/common/grpc'
import type { ProcessIdentity } from '@storekeep/common/identity'
import type { Metrics } from '@storekeep/common/telemetry'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { CartsService } from '@storekeep/proto/checkout/v1/carts_service'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { TagsService } from '@storekeep/proto/checkout/v1/tags_service'
import { type ServerName, serverNames } from '@storekeep/proto/conventions/call-rights'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { CommandQueueService } from '@storekeep/proto/delivery/v1/command_queue_service'
import { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { GlobalCommandsService } from '@storekeep/proto/delivery/v1/global_commands_service'
import { EmailsService } from '@storekeep/proto/emails/v1/emails_service'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import { SearchService } from '@storekeep/proto/search/v1/search_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { DeliveriesService } from '@storekeep/proto/webhooks/v1/deliveries_service'
import { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'

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
  tags: TagsService,
  carts: CartsService,
  orders: OrdersService,
  payments: PaymentsService,
  subscriptions: SubscriptionsService,
  gameServers: GameServersService,
  globalCommands: GlobalCommandsService,
  deliveryItems: DeliveryItemsService,
  commandQueue: CommandQueueService,
  emails: EmailsService,
  webhooks: WebhooksService,
  webhookDeliveries: DeliveriesService,
  search: SearchService,
} as const satisfies Record<string, UnaryService>

export type ServiceName = keyof typeof services

export const serviceNames = Object.keys(services) as ServiceName[]

/** The processes that the gateway calls: all but images, which only browsers need, through the pages. */
export type CalledProcess = Exclude<ServerName, 'images'>

export const calledProcesses = serverNames.filter((name): name is CalledProcess => name !== 'images')

/** The processes of the services that have another name. */
const hostedBy = {
  customVariables: 'custom-variables',
  affiliateLinks: 'coupons',
  products: 'checkout',
  tags: 'checkout',
  carts: 'checkout',
  payments: 'orders',
  subscriptions: 'orders',
  gameServers: 'delivery',
  globalCommands: 'delivery',
  deliveryItems: 'delivery',
  commandQueue: 'delivery',
  webhookDeliveries: 'webhooks',
} as const satisfies Record<Exclude<ServiceName, CalledProcess>, CalledProcess>

function processOf(name: ServiceName): CalledProcess {
  return name in hostedBy ? hostedBy[name as keyof typeof hostedBy] : (name as CalledProcess)
}

/** Creates the clients. The deadline is set per call, retries by the transport (`@storekeep/common/grpc`). */
export function connectServices(
  cells: CellAddresses<CalledProcess>,
  { metrics, identity }: { metrics: Metrics; identity: ProcessIdentity },
): Pick<CellConnections<CalledProcess>, 'states' | 'close'> & { clients: Clients } {
  const { transports, states, close } = connectCells({ cells, identity, metrics })
  const clients = serviceNames.map((name) => [
    name,
    createClient<UnaryService>(services[name], transports[processOf(name)]),
  ])
  return { clients: Object.fromEntries(clients) as Clients, states, close }
}

export type Clients = { [Name in ServiceName]: Client<(typeof services)[Name]> }
