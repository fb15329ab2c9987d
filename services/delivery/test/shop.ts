import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import { publishEvent } from '@storekeep/common/events'
import type { Client } from '@storekeep/common/grpc'
import { randomId, useRelay } from '@storekeep/common/testing'
import type { CheckoutLineSchema } from '@storekeep/proto/checkout/v1/checkout_session'
import { ProductCreatedSchema, ProductDeletedSchema, ProductUpdatedSchema } from '@storekeep/proto/checkout/v1/events'
import { CommandStage, type ProductCommandSchema, type ProductTermsSchema } from '@storekeep/proto/checkout/v1/product'
import type { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import {
  CustomerCreatedSchema,
  CustomerDeletedSchema,
  CustomerUpdatedSchema,
} from '@storekeep/proto/customers/v1/events'
import { type CommandAttempt, CommandAttemptState, type DeliveryItem } from '@storekeep/proto/delivery/v1/delivery_item'
import { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import { GlobalCommandsService } from '@storekeep/proto/delivery/v1/global_commands_service'
import {
  OrderChargedBackSchema,
  OrderCreatedSchema,
  OrderRefundedSchema,
  OrderUpdatedSchema,
  SubscriptionCanceledSchema,
  SubscriptionCreatedSchema,
  SubscriptionRenewedSchema,
  SubscriptionUpdatedSchema,
} from '@storekeep/proto/orders/v1/events'
import { type OrderSchema, OrderStatus, RefundStatus } from '@storekeep/proto/orders/v1/order'
import { type SubscriptionSchema, SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { StoreCreatedSchema, StoreUpdatedSchema } from '@storekeep/proto/stores/v1/events'
import type { Game } from '@storekeep/proto/stores/v1/store'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { stageToProto } from '../src/mappers.ts'
import { clientOf, createTestServer, inStore, type TestDelivery, type TestServer, useDelivery } from './harness.ts'

/** The service, and what the other services publish about a store: see `openShop`. */
export function useShops(): TestShops {
  const delivery = useDelivery(async (env) => ({ ...env, SWEEP_INTERVAL_MS: '50' }))
  useRelay(delivery)
  const items = clientOf(delivery, DeliveryItemsService)
  const globals = clientOf(delivery, GlobalCommandsService)
  return Object.defineProperties(delivery, { items: { get: items }, globals: { get: globals } }) as TestShops
}

export type TestShops = TestDelivery & {
  items: Client<typeof DeliveryItemsService>
  globals: Client<typeof GlobalCommandsService>
}

type Options = ReturnType<typeof inStore>
type Order = MessageInitShape<typeof OrderSchema>
type Line = MessageInitShape<typeof CheckoutLineSchema>
type Command = MessageInitShape<typeof ProductCommandSchema>

/** A product as it was bought: its ids, and its number of changes. */
export interface Bought {
  productId: string
  versionId: string
  version: bigint
}

export const stage = (name: keyof typeof CommandStage, content: string, more: Command = {}): Command => ({
  stage: CommandStage[name],
  content,
  ...more,
})

/** A store with one game server, whose other services publish events. Each function waits until its event was applied. */
export interface Shop {
  storeId: string
  options: Options
  server: TestServer
  publishStore(game: Game, bedrockPrefix: string, version?: bigint): Promise<void>
  customer(fields?: MessageInitShape<typeof CustomerSchema>): Promise<string>
  updateCustomer(id: string, version: bigint, fields: MessageInitShape<typeof CustomerSchema>): Promise<void>
  deleteCustomer(id: string, version: bigint): Promise<void>
  product(commands: Command[], terms?: MessageInitShape<typeof ProductTermsSchema>): Promise<Bought>
  /** @param event the version arrives with the creation, a change or the deletion of the product */
  publishVersion(
    bought: Bought,
    commands: Command[],
    terms?: MessageInitShape<typeof ProductTermsSchema>,
    event?: 'created' | 'updated' | 'deleted',
  ): Promise<void>
  order(customerId: string, lines: Line[], fields?: Order): Order & { id: string }
  created(order: Order): Promise<void>
  refunded(
    order: Order,
    refund: { lines?: { position: number; quantity: number }[]; amount: bigint },
    version?: bigint,
  ): Promise<void>
  chargedBack(order: Order): Promise<void>
  won(order: Order): Promise<void>
  subscription(
    event: 'created' | 'renewed' | 'updated' | 'canceled',
    subscription: MessageInitShape<typeof SubscriptionSchema> & { id: string; version: bigint },
  ): Promise<void>
  /** The items of a customer or an order, oldest first. */
  itemsOf(filter: { customerId?: string; orderId?: string | undefined }): Promise<DeliveryItem[]>
  /** Buys one unit and returns its item. */
  buy(bought: Bought, customerId: string, line?: Line, fields?: Order): Promise<DeliveryItem>
}

export async function openShop(delivery: TestShops, withServer = true): Promise<Shop> {
  const options = inStore()
  const { storeId } = options
  const server = withServer ? await createTestServer(delivery, options) : ({} as TestServer)

  async function publish<S extends DescMessage>(
    of: { service: string; aggregate: string; verb: string; id: string; version: bigint; consumer: string },
    schema: S,
    message: MessageInitShape<S>,
  ): Promise<void> {
    const { service, aggregate, verb, id, version, consumer } = of
    const applied = async () => {
      const [row] = await delivery.database.query<{ events: number; versions: number }>(sql`
        select (select count(*)::int from consumed_event where consumer = ${consumer}) as events,
          (select count(*)::int from consumed_version
            where consumer = ${consumer} and aggregate_id = ${id} and version >= ${version}) as versions`)
      return (row?.events ?? 0) + (row?.versions ?? 0)
    }
    const before = await applied()
    await delivery.database.transaction((tx) =>
      publishEvent(tx, {
        service,
        aggregate,
        verb,
        aggregateId: id,
        aggregateVersion: String(version),
        storeId,
        schema,
        message,
        traceparent: undefined,
      }),
    )
    await expect.poll(applied, { message: `${consumer} ${verb}` }).toBe(before + 1)
  }

  const orderEvent = (verb: string, order: Order, version: bigint) => ({
    service: 'orders',
    aggregate: 'order',
    verb,
    id: order.id ?? '',
    version,
    consumer: 'delivery-orders',
  })
  const shop: Shop = {
    storeId,
    options,
    server,
    publishStore: (game, bedrockPrefix, version = 1n) =>
      publish(
        { service: 'stores', aggregate: 'store', verb: 'updated', id: storeId, version, consumer: 'delivery-stores' },
        version === 1n ? StoreCreatedSchema : StoreUpdatedSchema,
        { store: { id: storeId, game, bedrockPrefix, version } },
      ),
    async customer(fields = { name: 'Robin' }) {
      const id = randomId()
      await publish(
        {
          service: 'customers',
          aggregate: 'customer',
          verb: 'created',
          id,
          version: 1n,
          consumer: 'delivery-customers',
        },
        CustomerCreatedSchema,
        { customer: { id, storeId, version: 1n, ...fields } },
      )
      return id
    },
    updateCustomer: (id, version, fields) =>
      publish(
        { service: 'customers', aggregate: 'customer', verb: 'updated', id, version, consumer: 'delivery-customers' },
        CustomerUpdatedSchema,
        { customer: { id, storeId, version, ...fields } },
      ),
    deleteCustomer: (id, version) =>
      publish(
        { service: 'customers', aggregate: 'customer', verb: 'deleted', id, version, consumer: 'delivery-customers' },
        CustomerDeletedSchema,
        { customer: { id, storeId, version } },
      ),
    async product(commands, terms) {
      const bought = { productId: randomId(), versionId: randomId(), version: 1n }
      await shop.publishVersion(bought, commands, terms)
      return bought
    },
    publishVersion({ productId, versionId, version }, commands, terms = {}, event = 'created') {
      const schemas = { created: ProductCreatedSchema, updated: ProductUpdatedSchema, deleted: ProductDeletedSchema }
      return publish(
        {
          service: 'checkout',
          aggregate: 'product',
          verb: event,
          id: productId,
          version,
          consumer: 'delivery-products',
        },
        schemas[event],
        {
          product: {
            id: productId,
            storeId,
            versionId,
            version,
            terms: { name: 'VIP', slug: 'vip', commands, ...terms },
          },
        },
      )
    },
    order: (customerId, lines, fields = {}) => ({
      id: randomId(),
      storeId,
      number: 1042n,
      checkoutId: randomId(),
      customerId,
      status: OrderStatus.PAID,
      currency: 'eur',
      lines,
      totalAmount: lines.reduce((sum, { unitPrice = 0n, quantity = 1 }) => sum + unitPrice * BigInt(quantity), 0n),
      ...fields,
    }),
    created: (order) => publish(orderEvent('created', order, 1n), OrderCreatedSchema, { order }),
    refunded: (order, { lines = [], amount }, version = 2n) =>
      publish(orderEvent('refunded', order, version), OrderRefundedSchema, {
        order: { ...order, refundedAmount: (order.refundedAmount ?? 0n) + amount },
        refund: { id: randomId(), storeId, amount, lines, status: RefundStatus.SUCCEEDED },
      }),
    chargedBack: (order) =>
      publish(orderEvent('charged_back', order, 3n), OrderChargedBackSchema, {
        order: { ...order, status: OrderStatus.CHARGED_BACK },
      }),
    async won(order) {
      // Delivery ignores the event, so nothing shows that it was consumed: the next event of the order follows it.
      await delivery.database.transaction((tx) =>
        publishEvent(tx, {
          service: 'orders',
          aggregate: 'order',
          verb: 'updated',
          aggregateId: order.id ?? '',
          aggregateVersion: '4',
          storeId,
          schema: OrderUpdatedSchema,
          message: { order },
          traceparent: undefined,
        }),
      )
      await shop.created(order)
    },
    subscription(event, subscription) {
      const schemas = {
        created: SubscriptionCreatedSchema,
        renewed: SubscriptionRenewedSchema,
        updated: SubscriptionUpdatedSchema,
        canceled: SubscriptionCanceledSchema,
      }
      return publish(
        {
          service: 'orders',
          aggregate: 'subscription',
          verb: event,
          id: subscription.id,
          version: subscription.version,
          consumer: 'delivery-subscriptions',
        },
        schemas[event],
        { subscription: { storeId, status: SubscriptionStatus.ACTIVE, ...subscription } },
      )
    },
    async itemsOf(filter) {
      const { items } = await delivery.items.listDeliveryItems({ ...filter, page: { limit: 100, asc: true } }, options)
      return items
    },
    async buy(bought, customerId, line = {}, fields = {}) {
      const order = shop.order(customerId, [lineOf(bought, line)], fields)
      await shop.created(order)
      const [item] = await shop.itemsOf({ orderId: order.id })
      if (!item) throw new Error('the order has no item')
      return item
    },
  }
  return shop
}

/** A line of an order. */
export function lineOf({ productId, versionId }: Bought, line: Line = {}): Line {
  return { productId, productVersionId: versionId, name: 'VIP', quantity: 1, unitPrice: 999n, ...line }
}

/** The stage and text of attempts, with their state unless it is pending. */
export function summaryOf(attempts: readonly CommandAttempt[]): string[] {
  return attempts.map(({ stage: at, command, state }) => {
    const [name] = Object.entries(stageToProto).find(([, value]) => value === at) ?? []
    return `${name}: ${command}${states[state]}`
  })
}

const states: Record<CommandAttemptState, string> = {
  [CommandAttemptState.UNSPECIFIED]: ' (unspecified)',
  [CommandAttemptState.PENDING]: '',
  [CommandAttemptState.BLOCKED]: ' (blocked)',
  [CommandAttemptState.EXECUTED]: ' (executed)',
  [CommandAttemptState.UNQUEUED]: ' (unqueued)',
}
