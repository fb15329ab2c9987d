import type { CallOptions } from '@storekeep/common/grpc'
import { type Env, randomId, type TestService, useService, withApiKey } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { file_storekeep_checkout_v1_events as events } from '@storekeep/proto/checkout/v1/events'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { type CheckoutConfig, readConfig } from '../src/config.ts'
import { checkout as service } from '../src/service.ts'

/** Settings that only this service has; nobody answers at the addresses. */
export const settings: Env = {
  STORES_ADDRESS: '127.0.0.1:1',
  CUSTOMERS_ADDRESS: '127.0.0.1:1',
  BANS_ADDRESS: '127.0.0.1:1',
  COUPONS_ADDRESS: '127.0.0.1:1',
  CUSTOM_VARIABLES_ADDRESS: '127.0.0.1:1',
  CHECKOUT_BASE_URL: 'https://pay.example/',
}

/** The service as one that answers about products. See `useService`. */
export function useProducts(change?: (env: Env) => Promise<Env>): TestProducts {
  return useService({ service, definition: ProductsService, events, readConfig, settings, change })
}

export type TestProducts = TestService<CheckoutConfig, typeof ProductsService>

/** The service as one that answers about checkout sessions. See `useService`. */
export function useCheckouts(change?: (env: Env) => Promise<Env>): TestCheckouts {
  return useService({ service, definition: CheckoutService, events, readConfig, settings, change })
}

export type TestCheckouts = TestService<CheckoutConfig, typeof CheckoutService>

/** Options of a call with an API key of the store; of a store of its own when none is given. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}
