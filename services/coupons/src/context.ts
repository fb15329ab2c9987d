import { createClient, createGrpcTransport, type Handlers } from '@storekeep/common/grpc'
import { limitTransactionsByStore } from '@storekeep/common/postgres'
import type { Runtime } from '@storekeep/common/service'
import type { Metrics } from '@storekeep/common/telemetry'
import type { WriteDependencies } from '@storekeep/common/write'
import type { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import type { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import type { RedemptionsService } from '@storekeep/proto/coupons/v1/redemptions_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { type CustomerDirectory, createCustomerDirectory } from './adapters/customer-directory.ts'
import type { CouponsConfig } from './config.ts'
import { countedOutcomes } from './redemptions/domain/outcome.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  customers: CustomerDirectory
  redemptionCounter: ReturnType<Metrics['counter']>
  sweepMs: number
  /** What `write` needs for a transaction that locks a coupon of the store. It may use only a part of the connections. */
  forCouponLock(storeId: string): WriteDependencies
  /** Closes the connections to other services. */
  closeClients(): void
}

/** The handlers of CouponsService, one per rpc. */
export type CouponsHandlers = Handlers<typeof CouponsService>

/** The handlers of RedemptionsService, one per rpc. */
export type RedemptionsHandlers = Handlers<typeof RedemptionsService>

/** The handlers of AffiliateLinksService, one per rpc. */
export type AffiliateLinksHandlers = Handlers<typeof AffiliateLinksService>

export function createContext(runtime: Runtime, config: CouponsConfig): AppContext {
  const toCustomers = createGrpcTransport({ ...runtime, to: 'customers', address: config.customers.address })
  const couponLocks = limitTransactionsByStore(runtime.database, config.database.connections.transactions)
  return {
    ...runtime,
    customers: createCustomerDirectory(createClient(CustomersService, toCustomers)),
    redemptionCounter: runtime.metrics.counter(
      'coupon_redemptions_total',
      'Changes to coupon redemptions, by outcome.',
      ['outcome'],
      { outcome: countedOutcomes },
    ),
    sweepMs: config.sweep.intervalMs,
    forCouponLock: (storeId) => ({ ...runtime, database: couponLocks(storeId) }),
    closeClients: () => toCustomers.close(),
  }
}
