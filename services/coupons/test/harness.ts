import type { MessageInitShape } from '@bufbuild/protobuf'
import { type CallOptions, type Client, createClient, type Transport, type UnaryService } from '@storekeep/common/grpc'
import {
  createTestTransport,
  type Env,
  randomId,
  type TestService,
  useService,
  withApiKey,
} from '@storekeep/common/testing'
import {
  type Coupon,
  CouponDiscountType,
  CouponDuration,
  type CouponInputSchema,
} from '@storekeep/proto/coupons/v1/coupon'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { file_storekeep_coupons_v1_events as events } from '@storekeep/proto/coupons/v1/events'
import { RedemptionsService } from '@storekeep/proto/coupons/v1/redemptions_service'
import { afterAll, beforeAll } from 'vitest'
import { type CouponsConfig, readConfig } from '../src/config.ts'
import { coupons as service } from '../src/service.ts'
import { type FakeCustomers, useFakeCustomers } from './fake-customers.ts'

/** The settings specific to this service. */
export const settings: Env = { CUSTOMERS_ADDRESS: '127.0.0.1:1' }

/** See `useService`. `customers` is a fake customers service, `redemptions` a client of RedemptionsService. */
export function useCoupons(change: (env: Env) => Promise<Env> = async (env) => env): TestCoupons {
  const customers = useFakeCustomers()
  const coupons = useService({
    service,
    definition: CouponsService,
    events,
    readConfig,
    settings,
    change: (env) => change({ ...env, CUSTOMERS_ADDRESS: customers.address }),
  })
  const redemptions = clientOf(coupons, RedemptionsService)
  return Object.defineProperty(Object.assign(coupons, { customers }), 'redemptions', {
    get: redemptions,
  }) as TestCoupons
}

/** A client of another service of the process. */
export function clientOf<S extends UnaryService>(test: { running: { address: string } }, service: S): () => Client<S> {
  let transport: Transport
  let client: Client<S>
  beforeAll(() => {
    transport = createTestTransport('coupons', test.running.address)
    client = createClient(service, transport)
  })
  afterAll(() => transport.close())
  return () => client
}

export type TestCoupons = TestService<CouponsConfig, typeof CouponsService> & {
  customers: FakeCustomers
  /** Known when the tests run. */
  redemptions: Client<typeof RedemptionsService>
}

/** Options of a call with an API key of the store, by default of a new store. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

export type Input = MessageInitShape<typeof CouponInputSchema>

let counter = 0

/** A valid coupon: 10 % off one-time purchases, with a unique code. */
export function newCoupon(change: Input = {}): Input {
  counter += 1
  return {
    enabled: true,
    code: `CODE-${counter}`,
    duration: CouponDuration.ONCE,
    discountType: CouponDiscountType.PERCENT,
    discountAmount: 100n,
    usableOnOneTimePurchase: true,
    usableOnSubscription: false,
    ...change,
  }
}

export async function createTestCoupon(
  { client }: TestCoupons,
  options: CallOptions,
  change: Input = {},
): Promise<Coupon> {
  const { coupon } = await client.createCoupon({ coupon: newCoupon(change) }, options)
  if (!coupon) throw new Error('CreateCoupon returned no coupon')
  return coupon
}
