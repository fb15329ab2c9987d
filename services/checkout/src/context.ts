import type { Handlers } from '@storekeep/common/grpc'
import { limitTransactionsByStore } from '@storekeep/common/postgres'
import type { Runtime } from '@storekeep/common/service'
import type { WriteDependencies } from '@storekeep/common/write'
import type { CartsService } from '@storekeep/proto/checkout/v1/carts_service'
import type { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import type { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import type { TagsService } from '@storekeep/proto/checkout/v1/tags_service'
import { type BanCheck, createBanCheck } from './adapters/ban-check.ts'
import { connectServices } from './adapters/connect-services.ts'
import { type CouponRedemptions, createCouponRedemptions } from './adapters/coupon-redemptions.ts'
import { type CustomerDirectory, createCustomerDirectory } from './adapters/customer-directory.ts'
import { createGameServerDirectory, type GameServerDirectory } from './adapters/game-server-directory.ts'
import { createProductOwnership, type ProductOwnership } from './adapters/product-ownership.ts'
import { type StandardTaxRates, standardTaxRates } from './adapters/standard-tax-rates.ts'
import { createStoreDirectory, type StoreDirectory } from './adapters/store-terms.ts'
import { createTaxIdRegister, type TaxIdRegister } from './adapters/tax-id-register.ts'
import { createVariableAnswers, type VariableAnswers } from './adapters/variable-answers.ts'
import { createVariableDirectory, type VariableDirectory } from './adapters/variable-directory.ts'
import type { CheckoutConfig } from './config.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  stores: StoreDirectory
  customers: CustomerDirectory
  bans: BanCheck
  coupons: CouponRedemptions
  standardTaxRates: StandardTaxRates
  /** Undefined if the installation asks no register. */
  taxIdRegister: TaxIdRegister | undefined
  answers: VariableAnswers
  variables: VariableDirectory
  gameServers: GameServerDirectory
  ownership: ProductOwnership
  /** What `write` needs for a transaction that locks the stock of a product. It may use only a part of the connections. */
  forStockLock(storeId: string): WriteDependencies
  /** Without a trailing slash. */
  checkoutBaseUrl: string
  /** Interval at which sessions are expired and abandoned reservations released. */
  sweepMs: number
  /** Closes the connections to other services. */
  closeClients(): void
}

/** The handlers of ProductsService, one per rpc. */
export type ProductHandlers = Handlers<typeof ProductsService>

/** The handlers of TagsService, one per rpc. */
export type TagHandlers = Handlers<typeof TagsService>

/** The handlers of CartsService, one per rpc. */
export type CartHandlers = Handlers<typeof CartsService>

/** The handlers of CheckoutService, one per rpc. */
export type CheckoutHandlers = Handlers<typeof CheckoutService>

export function createContext(runtime: Runtime, config: CheckoutConfig): AppContext {
  const { others, close } = connectServices(config.services, runtime)
  const stockLocks = limitTransactionsByStore(runtime.database, config.database.connections.transactions)
  return {
    ...runtime,
    stores: createStoreDirectory(others.stores, runtime.clock),
    standardTaxRates,
    taxIdRegister: createTaxIdRegister(config.taxIds.registerUrl, runtime),
    customers: createCustomerDirectory(others.customers),
    bans: createBanCheck(others.bans),
    coupons: createCouponRedemptions(others.redemptions),
    answers: createVariableAnswers(others.customVariables),
    variables: createVariableDirectory(others.customVariables),
    gameServers: createGameServerDirectory(others.gameServers),
    ownership: createProductOwnership(others.deliveryItems),
    forStockLock: (storeId) => ({ ...runtime, database: stockLocks(storeId) }),
    checkoutBaseUrl: config.checkout.baseUrl.replace(/\/+$/, ''),
    sweepMs: config.sweep.intervalMs,
    closeClients: close,
  }
}
