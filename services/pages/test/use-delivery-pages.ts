import { errors } from '@storekeep/common/errors'
import { fakeService, randomId, useFakeProcess, useFakeService } from '@storekeep/common/testing'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { anItem, type ItemInit, inDays, useFakeDelivery } from './fake-delivery.ts'
import { startPages } from './start-pages.ts'

const storeId = randomId()
export const [customerId, friendId] = [randomId(), randomId()]
export const order = { id: randomId(), number: 7n, customerId, createdAt: inDays(0) }
export const subscription = {
  id: randomId(),
  customerId,
  currency: 'eur',
  lines: [{ name: 'VIP' }, { name: 'Pass', giftToCustomerId: friendId }],
}

/** The pages of a customer with an order and a subscription, and a fake of the delivery service, which has no items before each test. */
export function useDeliveryPages() {
  const stores = useFakeService(StoresService, { getStore: async () => ({ store: { id: storeId, name: 'Isles' } }) })
  const customers = useFakeService(CustomersService, {
    getPortalCustomer: async () => ({ portalSession: { storeId }, customer: { id: customerId } }),
    batchGetProfiles: async () => ({
      profiles: [{ customerId: friendId, profile: { platform: 'service', name: 'Robin Friend' } }],
    }),
  })
  /** The order of the checkout. */
  const paid = { order: order as Partial<typeof order> }
  const orders = useFakeProcess('orders', [
    fakeService(OrdersService, {
      async listCustomerOrders({ subscriptionId }) {
        if (subscriptionId !== undefined && subscriptionId !== subscription.id) throw errors.notFound('subscription')
        return { orders: [{ ...order, currency: 'eur' }], subscriptions: [subscription] }
      },
      async getCustomerOrder({ orderId }) {
        if (orderId !== order.id) throw errors.notFound('order')
        return { order: { ...order, currency: 'eur', lines: [{ name: 'VIP', giftToCustomerId: friendId }] } }
      },
    }),
    fakeService(PaymentsService, {
      getPaymentState: async () => ({
        session: { id: randomId(), storeId, customerId, currency: 'eur' },
        order: paid.order,
      }),
    }),
  ])
  const delivery = useFakeDelivery()

  let pages: Awaited<ReturnType<typeof startPages>>
  beforeAll(async () => {
    pages = await startPages({
      STORES_ADDRESS: stores.address,
      CUSTOMERS_ADDRESS: customers.address,
      ORDERS_ADDRESS: orders.address,
      DELIVERY_ADDRESS: delivery.address(),
    })
  })
  afterAll(() => pages.stop())
  beforeEach(() => {
    Object.assign(delivery, { items: [], gameServers: new Map(), outage: 'none' })
    delivery.lists.length = 0
    paid.order = order
  })

  const cookie = `__Host-portal=${storeId}.${'a'.repeat(28)}`
  return {
    delivery,
    paid,
    /** A page of the portal, with or without the customer's session. */
    portal: (path: string, { language = 'en', isSignedIn = true } = {}) =>
      pages.send({
        host: 'me.example',
        path,
        headers: { 'accept-language': language, ...(isSignedIn && { cookie }) },
      }),
    checkout: () => pages.send({ path: `/?t=${'a'.repeat(28)}` }),
  }
}

/** The entries of the list of items, each as its lines. */
export function entriesOf(body: string): string[][] {
  const [, list = ''] = /aria-labelledby="(?:items|next)">(.*?)<\/section>/s.exec(body) ?? []
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, entry = '']) =>
    [...entry.matchAll(/<p[^>]*>(.*?)<\/p>/gs)].map(([, line = '']) => line.replace(/<[^>]*>/g, '')),
  )
}

/** A usable item of the customer. */
export const own = (name: string, fields: ItemInit = {}) => anItem(name, { customerId, ...fields })
