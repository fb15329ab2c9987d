import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CallOptions } from '@storekeep/common/grpc'
import { type Env, randomId, type TestService, useService, withApiKey } from '@storekeep/common/testing'
import { type Coupon, CouponDiscountType, CouponDuration } from '@storekeep/proto/coupons/v1/coupon'
import { type CouponInputSchema, CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { file_storekeep_coupons_v1_events as events } from '@storekeep/proto/coupons/v1/events'
import { type CouponsConfig, readConfig } from '../src/config.ts'
import { coupons as service } from '../src/service.ts'
import { type FakeCustomers, useFakeCustomers } from './fake-customers.ts'

/** Settings that only this service has. */
export const settings: Env = { CUSTOMERS_ADDRESS: '127.0.0.1:1' }

/** See `useService`. The customers service is a fake one, `customers`. */
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
  return Object.assign(coupons, { customers })
}

export type TestCoupons = TestService<CouponsConfig, typeof CouponsService> & { customers: FakeCustomers }

/** Options of a call with an API key of the store; of a store of its own when none is given. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

export type Input = MessageInitShape<typeof CouponInputSchema>

let counter = 0

/** A coupon that may be made: 10 % off everything, for everybody, with a code that no other has. */
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
  if (!coupon) throw new Error('CreateCoupon answered no coupon')
  return coupon
}
