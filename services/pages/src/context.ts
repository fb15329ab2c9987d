import { type Clock, systemClock } from '@storekeep/common/clock'
import { type Client, connectCells, createClient } from '@storekeep/common/grpc'
import {
  type BodyReader,
  createBodyReader,
  createFailureThrottle,
  createLocalWindows,
  createReturningPlayers,
  type FailureThrottle,
  type ReturningPlayers,
} from '@storekeep/common/http'
import { createIdentity } from '@storekeep/common/identity'
import { createLogger, type Logger } from '@storekeep/common/log'
import { CartsService } from '@storekeep/proto/checkout/v1/carts_service'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { TagsService } from '@storekeep/proto/checkout/v1/tags_service'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { ImagesService } from '@storekeep/proto/images/v1/images_service'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { type CheckoutTurns, createCheckoutTurns } from './checkout/checkout-turns.ts'
import type { PagesConfig } from './config.ts'
import { createPagesMetrics, type PagesMetrics } from './metrics.ts'
import { type CatalogCaches, createCatalogCaches } from './store/catalog-caches.ts'

/** The dependencies of the pages. */
export interface PagesContext {
  config: PagesConfig
  log: Logger
  metrics: PagesMetrics
  clock: Clock
  stores: Client<typeof StoresService>
  customers: Client<typeof CustomersService>
  checkout: Client<typeof CheckoutService>
  products: Client<typeof ProductsService>
  tags: Client<typeof TagsService>
  carts: Client<typeof CartsService>
  variables: Client<typeof CustomVariablesService>
  orders: Client<typeof OrdersService>
  payments: Client<typeof PaymentsService>
  subscriptions: Client<typeof SubscriptionsService>
  deliveryItems: Client<typeof DeliveryItemsService>
  gameServers: Client<typeof GameServersService>
  images: Client<typeof ImagesService>
  /** The rate limits of this replica. */
  windows: ReturnType<typeof createLocalWindows>
  bodies: BodyReader
  checkoutTurns: CheckoutTurns
  catalog: CatalogCaches
  returningPlayers: ReturningPlayers
  unknownTokens: FailureThrottle
  /** Set on SIGTERM: readiness fails, and every response closes its connection. */
  lifecycle: { draining: boolean }
  close(): void
}

export function createContext(config: PagesConfig, overrides: ContextOverrides = {}): PagesContext {
  const log = overrides.log ?? createLogger({ service: 'pages', level: config.log.level })
  const clock = overrides.clock ?? systemClock
  const { monotonicMs } = clock
  const metrics = createPagesMetrics()
  const identity = createIdentity('pages', { config: config.identity, log, metrics: metrics.metrics })
  const { transports, close: disconnect } = connectCells({
    cells: config.cells,
    identity,
    metrics: metrics.metrics,
  })
  return {
    config,
    log,
    metrics,
    clock,
    stores: createClient(StoresService, transports.stores),
    customers: createClient(CustomersService, transports.customers),
    checkout: createClient(CheckoutService, transports.checkout),
    products: createClient(ProductsService, transports.checkout),
    tags: createClient(TagsService, transports.checkout),
    carts: createClient(CartsService, transports.checkout),
    variables: createClient(CustomVariablesService, transports['custom-variables']),
    orders: createClient(OrdersService, transports.orders),
    payments: createClient(PaymentsService, transports.orders),
    subscriptions: createClient(SubscriptionsService, transports.orders),
    deliveryItems: createClient(DeliveryItemsService, transports.delivery),
    gameServers: createClient(GameServersService, transports.delivery),
    images: createClient(ImagesService, transports.images),
    windows: createLocalWindows({ monotonicMs }),
    bodies: createBodyReader({
      maxBytes: config.connections.maxUnfinishedBytes,
      limited: metrics.limitedRequests,
    }),
    checkoutTurns: createCheckoutTurns(),
    catalog: createCatalogCaches({ monotonicMs }),
    returningPlayers: createReturningPlayers({ monotonicMs }),
    unknownTokens: createFailureThrottle({
      policy: 'unknown-token',
      quota: config.limits.unknownTokenPerMinute,
      limited: metrics.limitedRequests,
      monotonicMs,
    }),
    lifecycle: { draining: false },
    close() {
      disconnect()
      identity.close()
    },
  }
}

export interface ContextOverrides {
  log?: Logger
  clock?: Clock
}
