import { isFault } from '@storekeep/common/errors'
import { type CallOptions, type Client, createClient } from '@storekeep/common/grpc'
import type { Database } from '@storekeep/common/postgres'
import {
  createTestTransport,
  type Env,
  internal,
  randomId,
  type TestService,
  useService,
  withApiKey,
} from '@storekeep/common/testing'
import {
  type CheckoutLineInputSchema,
  CheckoutService,
  type CreateCheckoutSessionRequestSchema,
} from '@storekeep/proto/checkout/v1/checkout_service'
import type { CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import { file_storekeep_checkout_v1_events as events } from '@storekeep/proto/checkout/v1/events'
import type { ProductTermsSchema } from '@storekeep/proto/checkout/v1/product'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import sql from 'sql-template-tag'
import { afterAll, beforeAll } from 'vitest'
import { type CheckoutConfig, readConfig } from '../src/config.ts'
import { checkout as service } from '../src/service.ts'
import { useFakeCoupons } from './fake-coupons.ts'
import {
  type Init,
  useFakeBans,
  useFakeCustomers,
  useFakeDelivery,
  useFakeStores,
  useFakeVariables,
} from './fake-others.ts'
import { serverOfEverything, variableOfEverything } from './product-inputs.ts'

/** The settings specific to this service; nothing listens at the addresses. */
export const settings: Env = {
  STORES_ADDRESS: '127.0.0.1:1',
  CUSTOMERS_ADDRESS: '127.0.0.1:1',
  BANS_ADDRESS: '127.0.0.1:1',
  COUPONS_ADDRESS: '127.0.0.1:1',
  CUSTOM_VARIABLES_ADDRESS: '127.0.0.1:1',
  DELIVERY_ADDRESS: '127.0.0.1:1',
  CHECKOUT_BASE_URL: 'https://pay.example/',
  SWEEP_INTERVAL_MS: '50',
}

/** The service with a client of ProductsService and fakes of the services that it calls. See `useService`. */
export function useProducts(): TestProducts {
  const customVariables = useFakeVariables()
  customVariables.add('kit', {}, variableOfEverything)
  const delivery = useFakeDelivery()
  delivery.addServerEverywhere(serverOfEverything)
  const products = useService({
    service,
    definition: ProductsService,
    events,
    readConfig,
    settings,
    change: async (env) => ({
      ...env,
      CUSTOM_VARIABLES_ADDRESS: customVariables.address(),
      DELIVERY_ADDRESS: delivery.address(),
    }),
  })
  return Object.assign(products, { customVariables, delivery })
}

export type TestProducts = TestService<CheckoutConfig, typeof ProductsService> & {
  customVariables: ReturnType<typeof useFakeVariables>
  delivery: ReturnType<typeof useFakeDelivery>
}

/** The service with a client of CheckoutService and fakes of the services it calls. See `useService`. */
export function useCheckouts(change: (env: Env) => Promise<Env> = async (env) => env): TestCheckouts {
  const others = useFakeOthers()
  const checkouts = useService({
    service,
    definition: CheckoutService,
    events,
    readConfig,
    settings,
    change: (env) => change({ ...env, ...others.addresses() }),
  })
  const products = { client: undefined as Client<typeof ProductsService> | undefined, close: () => {} }
  beforeAll(() => {
    const transport = createTestTransport('checkout', checkouts.running.address)
    products.client = createClient(ProductsService, transport)
    products.close = transport.close
  })
  afterAll(() => products.close())
  return Object.assign(checkouts, {
    others,
    products() {
      if (!products.client) throw new Error('the service has not started yet')
      return products.client
    },
    async addProduct(options: CallOptions, terms: Terms = {}): Promise<string> {
      const response = await products.client?.createProduct({ product: { ...plain, ...terms } }, options)
      return response?.product?.id ?? ''
    },
  })
}

export type TestCheckouts = TestService<CheckoutConfig, typeof CheckoutService> & {
  others: ReturnType<typeof useFakeOthers>
  /** Available when the tests run. */
  products(): Client<typeof ProductsService>
  /** @returns the id of a new product of 10.00 for one-time purchase */
  addProduct(options: CallOptions, terms?: Terms): Promise<string>
}

/** Fakes of the services that checkout calls. */
export function useFakeOthers() {
  const stores = useFakeStores()
  const customers = useFakeCustomers()
  const bans = useFakeBans()
  const coupons = useFakeCoupons()
  const customVariables = useFakeVariables()
  const delivery = useFakeDelivery()
  return {
    stores,
    customers,
    bans,
    coupons,
    customVariables,
    delivery,
    /** Their addresses as settings; known when the tests run. */
    addresses: (): Env => ({
      STORES_ADDRESS: stores.address(),
      CUSTOMERS_ADDRESS: customers.address(),
      BANS_ADDRESS: bans.address(),
      COUPONS_ADDRESS: coupons.address(),
      CUSTOM_VARIABLES_ADDRESS: customVariables.address(),
      DELIVERY_ADDRESS: delivery.address(),
    }),
  }
}

/** Options of a call with an API key of the store, by default of a new store. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

/** Options of a call of the checkout page, whose shopper is anonymous. */
export function shopper(storeId: string) {
  return internal({ storeId, actor: { type: ActorType.ANONYMOUS } })
}

/** A customer of a new store, ready to buy. */
export function newBuyer({ others }: TestCheckouts) {
  const options = inStore()
  return { options, customerId: others.customers.add(options.storeId) }
}

/** A line with an inline product for one-time purchase, for 10.00 by default. */
export function inline(terms: Terms = {}, line: Omit<Line, 'item'> = {}): Line {
  return { quantity: 1, ...line, item: { case: 'inlineProduct', value: { ...plain, ...terms } } }
}

/** A line with a product of the store. */
export function ofProduct(productId: string, line: Omit<Line, 'item'> = {}): Line {
  return { quantity: 1, ...line, item: { case: 'productId', value: productId } }
}

/** Creates a session. @returns its violations as "path code"; empty if it was created */
export async function rejectionsOf(
  checkouts: TestCheckouts,
  { options, customerId }: { options: CallOptions; customerId: string },
  lines: Line[],
): Promise<string[]> {
  return await codesOf(checkouts.client.createCheckoutSession({ customerId, lines }, options))
}

/** The violations of a call as "path code"; empty if it succeeds. @throws faults without violations */
export async function codesOf(call: Promise<unknown>): Promise<string[]> {
  try {
    await call
    return []
  } catch (error) {
    if (!isFault(error, 'validation-failed')) throw error
    return error.violations.map(({ path, code }) => `${path} ${code}`)
  }
}

/** Creates a session, by default with one line for 10.00. */
export async function createTestSession(
  checkouts: TestCheckouts,
  { options, customerId }: { options: CallOptions; customerId: string } = newBuyer(checkouts),
  request: Request = {},
): Promise<CheckoutSession> {
  const created = await checkouts.client.createCheckoutSession({ customerId, lines: [inline()], ...request }, options)
  const checkoutId = created.session?.id ?? ''
  const { session } = await checkouts.client.getCheckoutSession({ checkoutId }, options)
  if (!session) throw new Error('GetCheckoutSession returned no session')
  return session
}

/** Copies a session with its lines, with ids that precede the original's. @returns the ids of the copies, in order */
export async function copySession(
  database: Database,
  { id, storeId }: Pick<CheckoutSession, 'id' | 'storeId'>,
  count: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    with copy as (
      insert into checkout_session
      select copy.* from checkout_session session, generate_series(1, ${count}::int) number,
        lateral jsonb_populate_record(
          session, jsonb_build_object('id', session.id - number, 'token_hash', '\\x' || md5(number::text))
        ) copy
      where session.store_id = ${storeId} and session.id = ${id} returning store_id, id
    ), lines as (
      insert into checkout_line
      select line_copy.* from copy, checkout_line line,
        lateral jsonb_populate_record(line, jsonb_build_object('checkout_id', copy.id)) line_copy
      where line.store_id = ${storeId} and line.checkout_id = ${id}
    )
    select id from copy order by id`)
  return rows.map((row) => row.id)
}

const plain = {
  name: 'VIP rank',
  price: 1000n,
  allowOneTimePurchase: true,
  allowConcurrentActiveItems: true,
} satisfies Terms

export type Terms = Init<typeof ProductTermsSchema>
export type Line = Init<typeof CheckoutLineInputSchema>
export type Request = Init<typeof CreateCheckoutSessionRequestSchema>
