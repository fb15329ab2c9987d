import { timestampDate } from '@bufbuild/protobuf/wkt'
import { type CallOptions, type Client, createClient, createGrpcTransport } from '@storekeep/common/grpc'
import type { ProcessIdentity } from '@storekeep/common/identity'
import type { Metrics } from '@storekeep/common/telemetry'
import { portalSessionLimits } from '@storekeep/proto/conventions/limits'
import type { Profile } from '@storekeep/proto/customers/v1/customer'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import type { Order } from '@storekeep/proto/orders/v1/order'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import type { Subscription } from '@storekeep/proto/orders/v1/subscription'
import { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import type { Store } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { EmailsConfig } from '../config.ts'

/**
 * The records of other services from which emails are written. Every method throws `not-found` for an unknown record, and
 * `service-unavailable` if the service cannot be reached.
 */
export type Records = ReturnType<typeof createRecords>

/** Connects to the services that own the records. */
export function connectRecords(
  addresses: EmailsConfig['services'],
  { metrics, identity }: { metrics: Metrics; identity: ProcessIdentity },
): { records: Records; close(): void } {
  const connect = (to: 'stores' | 'customers' | 'orders') =>
    createGrpcTransport({ to, address: addresses[to], identity, metrics })
  const [stores, customers, orders] = [connect('stores'), connect('customers'), connect('orders')]
  return {
    records: createRecords({
      stores: createClient(StoresService, stores),
      customers: createClient(CustomersService, customers),
      orders: createClient(OrdersService, orders),
      subscriptions: createClient(SubscriptionsService, orders),
    }),
    close() {
      for (const transport of [stores, customers, orders]) transport.close()
    },
  }
}

export interface PortalLink {
  url: string
  endsAt: Date
}

interface Clients {
  stores: Pick<Client<typeof StoresService>, 'getStore'>
  customers: Pick<Client<typeof CustomersService>, 'batchGetProfiles' | 'createPortalSession'>
  orders: Pick<Client<typeof OrdersService>, 'getOrder' | 'listOrders'>
  subscriptions: Pick<Client<typeof SubscriptionsService>, 'getSubscription'>
}

function createRecords({ stores, customers, orders, subscriptions }: Clients) {
  return {
    async store(call: CallOptions): Promise<Store> {
      return required((await stores.getStore({}, call)).store)
    },
    async order(orderId: string, call: CallOptions): Promise<Order> {
      return required((await orders.getOrder({ orderId }, call)).order)
    },
    /** The newest orders of a subscription or of a customer, the newest first. */
    async newestOrders(
      of: { subscriptionId: string } | { customerId: string },
      limit: number,
      call: CallOptions,
    ): Promise<Order[]> {
      return (await orders.listOrders({ ...of, page: { limit } }, call)).orders
    },
    async subscription(subscriptionId: string, call: CallOptions): Promise<Subscription> {
      return required((await subscriptions.getSubscription({ subscriptionId }, call)).subscription)
    },
    /** By customer id. Deleted customers are omitted. */
    async profiles(customerIds: readonly string[], call: CallOptions): Promise<ReadonlyMap<string, Profile>> {
      const { profiles } = await customers.batchGetProfiles({ customerIds: customerIds.slice(0, 100) }, call)
      return new Map(profiles.flatMap(({ customerId, profile }) => (profile ? [[customerId, profile] as const] : [])))
    },
    /**
     * A link that signs the customer in to the portal: a secret. It works once, within a week.
     * @param updatesPaymentOf the subscription whose payment method the link changes
     */
    async portalLink(customerId: string, updatesPaymentOf: string | undefined, call: CallOptions): Promise<PortalLink> {
      const flow =
        updatesPaymentOf === undefined
          ? {}
          : {
              flow: {
                flow: {
                  case: 'subscriptionPaymentMethodUpdate' as const,
                  value: { subscriptionId: updatesPaymentOf },
                },
              },
            }
      const request = { customerId, expiresInSeconds: portalSessionLimits.maxSeconds, ...flow }
      const { url, portalSession } = await customers.createPortalSession(request, call)
      return { url, endsAt: timestampDate(required(portalSession?.expiresAt)) }
    },
  }
}

function required<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('a service returned no record')
  return record
}
