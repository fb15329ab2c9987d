import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { addressSetting } from '@storekeep/common/config'
import { deriveCallKeys } from '@storekeep/common/crypto'
import { errors } from '@storekeep/common/errors'
import { type BoundService, bind, type Call, createGrpcServer, type Handlers } from '@storekeep/common/grpc'
import type { Logger } from '@storekeep/common/log'
import { createMetrics } from '@storekeep/common/telemetry'
import { testCallSecret, testIdentity } from '@storekeep/common/testing'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { CartsService } from '@storekeep/proto/checkout/v1/carts_service'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { TagsService } from '@storekeep/proto/checkout/v1/tags_service'
import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import type { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
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
import { Game, type StoreSchema } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { DeliveriesService } from '@storekeep/proto/webhooks/v1/deliveries_service'
import { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import { type CalledProcess, calledProcesses, type ServiceName, serviceNames, services } from '../src/services.ts'
import { affiliateLinksHandlers } from './fake-affiliate-links.ts'
import { bansHandlers } from './fake-bans.ts'
import { cartsHandlers } from './fake-carts.ts'
import { checkoutHandlers } from './fake-checkout.ts'
import { couponsHandlers } from './fake-coupons.ts'
import { customVariablesHandlers } from './fake-custom-variables.ts'
import {
  commandQueueHandlers,
  deliveryItemsHandlers,
  type GameServerTokens,
  gameServersHandlers,
  globalCommandsHandlers,
} from './fake-delivery.ts'
import { emailsHandlers } from './fake-emails.ts'
import { ordersHandlers, paymentsHandlers, subscriptionsHandlers } from './fake-orders.ts'
import { productsHandlers } from './fake-products.ts'
import { searchHandlers } from './fake-search.ts'
import { tagsHandlers } from './fake-tags.ts'
import { deliveriesHandlers, webhooksHandlers } from './fake-webhooks.ts'
import { newId } from './ids.ts'

/**
 * Fakes of the services, without their rules. They record each call and respond from these tables, unless a test puts
 * another handler into `overrides`.
 */
export async function startFakeServices(log: Logger): Promise<FakeServices> {
  const tables: Tables = {
    calls: [],
    overrides: {},
    apiKeys: new Map(),
    tokens: new Map(),
    gameServerTokens: new Map(),
  }
  const bound: Record<CalledProcess, BoundService[]> = {
    stores: [bind(StoresService, intercepted(tables, storesHandlers(tables)))],
    customers: [bind(CustomersService, intercepted(tables, customersHandlers(tables)))],
    bans: [bind(BansService, intercepted(tables, bansHandlers()))],
    coupons: [
      bind(CouponsService, intercepted(tables, couponsHandlers())),
      bind(AffiliateLinksService, intercepted(tables, affiliateLinksHandlers())),
    ],
    checkout: [
      bind(CheckoutService, intercepted(tables, checkoutHandlers())),
      bind(ProductsService, intercepted(tables, productsHandlers())),
      bind(TagsService, intercepted(tables, tagsHandlers())),
      bind(CartsService, intercepted(tables, cartsHandlers())),
    ],
    'custom-variables': [bind(CustomVariablesService, intercepted(tables, customVariablesHandlers()))],
    orders: [
      bind(OrdersService, intercepted(tables, ordersHandlers())),
      bind(PaymentsService, intercepted(tables, paymentsHandlers())),
      bind(SubscriptionsService, intercepted(tables, subscriptionsHandlers())),
    ],
    delivery: [
      bind(GameServersService, intercepted(tables, gameServersHandlers(tables.gameServerTokens))),
      bind(GlobalCommandsService, intercepted(tables, globalCommandsHandlers())),
      bind(DeliveryItemsService, intercepted(tables, deliveryItemsHandlers())),
      bind(CommandQueueService, intercepted(tables, commandQueueHandlers(tables.gameServerTokens))),
    ],
    emails: [bind(EmailsService, intercepted(tables, emailsHandlers()))],
    webhooks: [
      bind(WebhooksService, intercepted(tables, webhooksHandlers())),
      bind(DeliveriesService, intercepted(tables, deliveriesHandlers())),
    ],
    search: [bind(SearchService, intercepted(tables, searchHandlers()))],
  }
  const started = await Promise.all(
    calledProcesses.map(async (name) => [name, await serve(name, bound[name], log)] as const),
  )
  const processes = Object.fromEntries(started) as Record<CalledProcess, FakeProcess>
  const addresses = started.map(([name, { address }]) => [addressSetting(name), address])
  return {
    ...tables,
    ...processes,
    addressSettings: { ...Object.fromEntries(addresses), ...callKeys },
    close: () => Promise.all(started.map(([, process]) => process.stop())),
  }
}

export interface FakeServices extends Tables, Record<CalledProcess, FakeProcess> {
  /** The address settings for a gateway. */
  /** Their addresses, and the keys that they accept. */
  addressSettings: Record<string, string>
  close(): Promise<unknown>
}

interface Tables {
  /** Every call, oldest first. */
  calls: { name: string; request: object; call: Call }[]
  /** Handlers that replace the default, by the name of the RPC. */
  overrides: Partial<Record<RpcName, (request: never, call: Call) => Promise<object>>>
  apiKeys: Map<string, { keyId: string; storeId: string; scopes: string[]; expiresAt?: Date }>
  tokens: Map<string, { storeId: string; customerId: string }>
  gameServerTokens: GameServerTokens
}

type RpcName = { [Name in ServiceName]: keyof (typeof services)[Name]['method'] }[ServiceName]

/** Every RPC of every service. */
export const rpcNames = serviceNames.flatMap((name) => Object.keys(services[name].method)) as RpcName[]

export interface FakeProcess {
  address: string
  /** Stops it immediately, which callers see as a crash. */
  stop(): Promise<void>
}

export function customerMessage(id: string, storeId: string): MessageInitShape<typeof CustomerSchema> {
  return {
    id,
    storeId,
    profile: { id, platform: 'service', name: 'Robin', claimed: false },
    name: 'Robin',
    createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    metadata: { rank: 'vip' },
    version: 1n,
  }
}

function storeMessage(id: string): MessageInitShape<typeof StoreSchema> {
  return {
    id,
    slug: 'rusty-hut',
    name: 'Rusty Hut',
    game: Game.RUST,
    currency: 'eur',
    bedrockPrefix: '.',
    timeZone: 'UTC',
    createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    version: 1n,
  }
}

export function storesHandlers({ apiKeys }: Tables): Handlers<typeof StoresService> {
  const unused = () => Promise.reject(new Error('not called by the gateway'))
  return {
    getStore: async (_request, { storeId = '' }) => ({ store: storeMessage(storeId) }),
    async verifyApiKey({ key }) {
      const known = apiKeys.get(key)
      if (!known) throw errors.unauthorized()
      const { expiresAt, ...rest } = known
      return { ...rest, ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) }
    },
    getStoreBySlug: unused,
    createStore: unused,
    updateStore: async (_request, { storeId = '' }) => ({ store: storeMessage(storeId) }),
    listStores: unused,
    createApiKey: unused,
    listApiKeys: unused,
    revokeApiKey: unused,
  }
}

export function customersHandlers({ tokens }: Tables): Handlers<typeof CustomersService> {
  const one = async (id: string, { storeId = '' }: Call) => ({ customer: customerMessage(id, storeId) })
  return {
    createCustomer: (_request, call) => one(newId(), call),
    bulkCreateCustomers: async ({ customers }, { storeId = '' }) => ({
      customers: customers.map(() => customerMessage(newId(), storeId)),
    }),
    getCustomer: ({ customerId }, call) => one(customerId, call),
    listCustomers: async (_request, { storeId = '' }) => ({
      customers: [customerMessage(newId(), storeId)],
      page: { hasNext: false, hasPrevious: false },
    }),
    updateCustomer: ({ customerId }, call) => one(customerId, call),
    lookupCustomer: ({ id }, call) => one(id ?? newId(), call),
    findOrCreateCustomer: () => Promise.reject(new Error('not called by the gateway')),
    batchGetProfiles: () => Promise.reject(new Error('not called by the gateway')),
    startSteamSignIn: () => Promise.reject(new Error('not called by the gateway')),
    signInWithSteam: () => Promise.reject(new Error('not called by the gateway')),
    exchangePortalToken: () => Promise.reject(new Error('not called by the gateway')),
    getPortalCustomer: () => Promise.reject(new Error('not called by the gateway')),
    signOutOfPortal: () => Promise.reject(new Error('not called by the gateway')),
    mintToken: async () => ({ token: 'skcus_minted' }),
    revokeTokens: async () => ({ tokenEpoch: 1 }),
    revokeStoreTokens: async () => ({ tokenEpoch: 1 }),
    async verifyToken({ token }, call) {
      const known = tokens.get(token)
      if (!known) throw errors.unauthorized()
      if (known.storeId !== call.storeId) throw errors.forbidden()
      return one(known.customerId, call)
    },
    signIn: async () => ({ customerToken: 'skcus_signed_in' }),
    getSignInKey: async ({ platform, id }) => ({ signInKey: `${platform}:${id}` }),
    createPortalSession: async ({ customerId, expiresInSeconds, flow, returnUrl }, { storeId = '' }) => ({
      portalSession: {
        id: newId(),
        storeId,
        customerId,
        createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.000Z')),
        expiresAt: timestampFromDate(new Date(Date.UTC(2026, 10, 20, 14, 35, 17) + expiresInSeconds * 1000)),
        ...(flow && { flow }),
        ...(returnUrl !== undefined && { returnUrl }),
      },
      token: 'abcdefghijklmnopqrstuvwxyz23',
      url: 'https://portal.example.com/?t=abcdefghijklmnopqrstuvwxyz23',
    }),
  }
}

function intercepted<H extends object>({ calls, overrides }: Tables, handlers: H): H {
  const names = Object.keys(handlers) as (keyof H & RpcName)[]
  const wrapped = names.map((name) => [
    name,
    (request: never, call: Call) => {
      calls.push({ name, request, call })
      const handler = overrides[name] ?? (handlers[name] as NonNullable<(typeof overrides)[RpcName]>)
      return handler(request, call)
    },
  ])
  return Object.fromEntries(wrapped) as H
}

/** The keys of the gateway under test. */
export const callKeys = { CALL_KEYS: deriveCallKeys(testCallSecret, 'gateway') }

async function serve(name: ServerName, services: BoundService[], log: Logger): Promise<FakeProcess> {
  const server = createGrpcServer({
    identity: testIdentity(name),
    services,
    log,
    metrics: createMetrics({ service: 'fake' }),
    ready: async () => true,
  })
  const port = await server.listen('127.0.0.1', 0)
  return { address: `127.0.0.1:${port}`, stop: () => server.stop(0) }
}
