import type { CallOptions, Client } from '@storekeep/common/grpc'
import { createClient } from '@storekeep/common/grpc'
import {
  createTestTransport,
  type Env,
  operator,
  randomId,
  type TestService,
  useService,
  withApiKey,
} from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { file_storekeep_orders_v1_events as events } from '@storekeep/proto/orders/v1/events'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { type Payment, PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService, TestPaymentAction } from '@storekeep/proto/orders/v1/payments_service'
import { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import sql from 'sql-template-tag'
import { afterAll, beforeAll } from 'vitest'
import { type OrdersConfig, readConfig } from '../src/config.ts'
import { orders as service } from '../src/service.ts'
import { type FakeSession, useFakeCheckout } from './fake-checkout.ts'
import { useFakeCustomers } from './fake-customers.ts'

export const settings: Env = {
  CHECKOUT_ADDRESS: '127.0.0.1:1',
  CUSTOMERS_ADDRESS: '127.0.0.1:1',
  TEST_PAYMENTS: 'true',
  SWEEP_INTERVAL_MS: '50',
}

/** The service with clients of its gRPC services, and fakes of the services that it calls. See `useService`. */
export function useOrders(change: (env: Env) => Promise<Env> = async (env) => env): TestOrders {
  const checkout = useFakeCheckout(() => orders.clock)
  const customers = useFakeCustomers()
  const orders: TestService<OrdersConfig, typeof PaymentsService> = useService({
    service,
    definition: PaymentsService,
    events,
    readConfig: (env) => ({ ...readConfig(env), reencryptMs: 50 }),
    settings,
    change: (env) => change({ ...env, CHECKOUT_ADDRESS: checkout.address(), CUSTOMERS_ADDRESS: customers.address() }),
  })
  const other: Partial<Pick<TestOrders, 'orders' | 'subscriptions'>> & { close: () => void } = { close: () => {} }
  beforeAll(() => {
    const transport = createTestTransport('orders', orders.running.address)
    other.orders = createClient(OrdersService, transport)
    other.subscriptions = createClient(SubscriptionsService, transport)
    other.close = transport.close
  })
  afterAll(() => other.close())
  return Object.defineProperties(orders, {
    checkout: { value: checkout },
    customers: { value: customers },
    orders: { get: () => other.orders },
    subscriptions: { get: () => other.subscriptions },
  }) as TestOrders
}

export type TestOrders = TestService<OrdersConfig, typeof PaymentsService> & {
  checkout: ReturnType<typeof useFakeCheckout>
  customers: ReturnType<typeof useFakeCustomers>
  orders: Client<typeof OrdersService>
  subscriptions: Client<typeof SubscriptionsService>
}

/** Options of a call by the page process for an anonymous shopper. */
export function asShopper(storeId: string): CallOptions & { storeId: string } {
  return { ...operator({ actor: { type: ActorType.ANONYMOUS } }), storeId }
}

export function inStore(storeId: string = randomId()): CallOptions & { storeId: string } {
  return withApiKey(storeId)
}

export const addresses = { successUrl: 'https://pay.example/done', cancelUrl: 'https://pay.example/back' }

/** Starts to pay a session, by default with the test provider. */
export async function start(
  orders: TestOrders,
  { token, storeId }: Pick<FakeSession, 'token' | 'storeId'>,
  provider: PaymentProvider = PaymentProvider.TEST,
): Promise<Payment> {
  const { payment } = await orders.client.startPayment({ token, provider, ...addresses }, asShopper(storeId))
  if (!payment) throw new Error('StartPayment returned no payment')
  return payment
}

export async function act(
  orders: TestOrders,
  { id, storeId }: Pick<Payment, 'id' | 'storeId'>,
  action: TestPaymentAction,
): Promise<Payment> {
  const { payment } = await orders.client.actOnTestPayment({ paymentId: id, action }, asShopper(storeId))
  if (!payment) throw new Error('ActOnTestPayment returned no payment')
  return payment
}

/** The store takes only manual payments from now on. */
export async function goLive(orders: TestOrders, storeId: string): Promise<void> {
  const enabledProviders = { providers: [PaymentProvider.MANUAL] }
  await orders.client.updatePaymentSettings({ enabledProviders, manualInstructions: 'IBAN' }, inStore(storeId))
}

/** A paid order of 20.00 for two units of one line. */
export async function createOrder(orders: TestOrders, fields: Partial<FakeSession> = {}) {
  const session = orders.checkout.add(fields.storeId ?? randomId(), fields)
  const payment = await act(orders, await start(orders, session), TestPaymentAction.APPROVE)
  const options = inStore(session.storeId)
  const { order } = await orders.orders.getOrder({ orderId: payment.orderId ?? '' }, options)
  if (!order) throw new Error('GetOrder returned no order')
  return { session, payment, order, options }
}

/** The log messages about attempts to advance a payment that failed. */
export function failuresOf({ logLines }: TestOrders, { id }: Pick<Payment, 'id'>): string[] {
  const messages = logLines.filter((line) => line.includes(id)).map((line) => (JSON.parse(line) as { msg: string }).msg)
  return messages.filter((message) => message.endsWith('failed: retrying'))
}

export async function countOrders(orders: TestOrders, storeId: string): Promise<number> {
  const rows = await orders.database.query(sql`select 1 from store_order where store_id = ${storeId}`)
  return rows.length
}

/** How often the task has tried to end a payment. */
export async function attemptsOf(orders: TestOrders, { storeId, id }: { storeId: string; id: string }) {
  const [row] = await orders.database.query<{ attempts: number }>(
    sql`select attempts from payment where store_id = ${storeId} and id = ${id}`,
  )
  return row?.attempts
}
