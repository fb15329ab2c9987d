import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import { fakeService, randomId, useFakeProcess, useFakeService } from '@storekeep/common/testing'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { type Order, OrderSchema, OrderStatus } from '@storekeep/proto/orders/v1/order'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { type Subscription, SubscriptionSchema, SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import { Game, type Store, StoreSchema } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'

/** Fields of a message. */
type Fields<S extends DescMessage> = Exclude<MessageInitShape<S>, MessageShape<S>>

/** Fakes of the services that own what emails are written from, over real gRPC, for all tests of a file. */
export function useFakeShops() {
  const stores = new Map<string, Store>()
  const orders = new Map<string, Order>()
  const subscriptions = new Map<string, Subscription>()
  const customers = new Map<string, { name: string; claimed: boolean }>()
  const fake = {
    stores,
    orders,
    subscriptions,
    customers,
    outage: false,
    /** The portal sessions that were created: customer, and the secret of the link. */
    portalSessions: [] as { customerId: string; token: string; flow: string | undefined }[],
    addStore(changes: Fields<typeof StoreSchema> = {}): Store {
      const store = create(StoreSchema, {
        id: randomId(),
        slug: 'skyblock',
        name: 'Skyblock Shop',
        game: Game.RUST,
        currency: 'eur',
        timeZone: 'Europe/Berlin',
        ...changes,
      })
      stores.set(store.id, store)
      return store
    },
    addCustomer(name = 'Robin', claimed = false): string {
      const id = randomId()
      customers.set(id, { name, claimed })
      return id
    },
    addOrder(storeId: string, changes: Fields<typeof OrderSchema> = {}): Order {
      const order = create(OrderSchema, {
        id: randomId(),
        storeId,
        number: 42n,
        checkoutId: randomId(),
        customerId: changes.customerId ?? fake.addCustomer(),
        status: OrderStatus.PAID,
        currency: 'eur',
        lines: [{ name: 'VIP rank', quantity: 2, unitPrice: 999n, totalAmount: 1998n }],
        subtotalAmount: 1998n,
        totalAmount: 1998n,
        billingDetails: { billingEmail: 'robin@example.com' },
        locale: 'en-GB',
        createdAt: timestampFromDate(new Date('2026-11-20T23:30:00Z')),
        version: 1n,
        ...changes,
      })
      orders.set(order.id, order)
      return order
    },
    addSubscription(order: Order, changes: Fields<typeof SubscriptionSchema> = {}): Subscription {
      const subscription = create(SubscriptionSchema, {
        id: randomId(),
        storeId: order.storeId,
        customerId: order.customerId,
        checkoutId: order.checkoutId,
        status: SubscriptionStatus.ACTIVE,
        currency: 'eur',
        lines: order.lines,
        paidPeriods: 1,
        renewalAmount: 1998n,
        currentPeriodStart: timestampFromDate(new Date('2026-11-20T12:00:00Z')),
        currentPeriodEnd: timestampFromDate(new Date('2026-12-20T12:00:00Z')),
        version: 1n,
        ...changes,
      })
      subscriptions.set(subscription.id, subscription)
      orders.set(order.id, create(OrderSchema, { ...order, subscriptionId: subscription.id }))
      return subscription
    },
  }

  function find<T extends { storeId: string }>(records: ReadonlyMap<string, T>, id: string, { storeId }: Call): T {
    if (fake.outage) throw errors.unavailable()
    const record = records.get(id)
    if (!record || record.storeId !== storeId) throw errors.notFound('record')
    return record
  }

  const storesProcess = useFakeService(StoresService, {
    async getStore(_request, { storeId = '' }) {
      if (fake.outage) throw errors.unavailable()
      const store = stores.get(storeId)
      if (!store) throw errors.notFound('store')
      return { store }
    },
  })
  const customersProcess = useFakeService(CustomersService, {
    async batchGetProfiles({ customerIds }) {
      const profiles = customerIds.flatMap((id) => {
        const customer = customers.get(id)
        return customer ? [{ customerId: id, profile: { id, platform: 'service', ...customer } }] : []
      })
      return { profiles }
    },
    async createPortalSession({ customerId, expiresInSeconds, flow }) {
      const token = `${randomId()}secret`
      fake.portalSessions.push({ customerId, token, flow: flow?.flow.case })
      const expiresAt = timestampFromDate(new Date(Date.UTC(2026, 10, 21) + expiresInSeconds * 1000))
      return { portalSession: { id: randomId(), customerId, expiresAt }, token, url: `https://me.example/?t=${token}` }
    },
  })
  const ordersProcess = useFakeProcess('orders', [
    fakeService(OrdersService, {
      getOrder: async ({ orderId }, call) => ({ order: find(orders, orderId, call) }),
      async listOrders({ subscriptionId, customerId, page }, { storeId }) {
        if (fake.outage) throw errors.unavailable()
        const found = [...orders.values()]
          .filter((order) => order.storeId === storeId)
          .filter((order) => subscriptionId === undefined || order.subscriptionId === subscriptionId)
          .filter((order) => customerId === undefined || order.customerId === customerId)
        return { orders: found.reverse().slice(0, page?.limit) }
      },
    }),
    fakeService(SubscriptionsService, {
      getSubscription: async ({ subscriptionId }, call) => ({
        subscription: find(subscriptions, subscriptionId, call),
      }),
    }),
  ])
  const addresses = () => ({
    STORES_ADDRESS: storesProcess.address,
    CUSTOMERS_ADDRESS: customersProcess.address,
    ORDERS_ADDRESS: ordersProcess.address,
  })
  return Object.assign(fake, { addresses })
}

export type FakeShops = ReturnType<typeof useFakeShops>
