import { createClient, createGrpcTransport, type Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { Metrics } from '@storekeep/common/telemetry'
import type { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import type { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import type { RedemptionsService } from '@storekeep/proto/coupons/v1/redemptions_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { type CustomerDirectory, createCustomerDirectory } from './adapters/customer-directory.ts'
import type { CouponsConfig } from './config.ts'
import { type CouponLockLimiter, createCouponLockLimiter } from './redemptions/db/coupon-lock-limiter.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  customers: CustomerDirectory
  redemptionCounter: ReturnType<Metrics['counter']>
  sweepMs: number
  /** The database for transactions that lock a coupon of the store. */
  couponLocks: CouponLockLimiter
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
  return {
    ...runtime,
    customers: createCustomerDirectory(createClient(CustomersService, toCustomers)),
    redemptionCounter: runtime.metrics.counter(
      'coupon_redemptions_total',
      'Changes to coupon redemptions, by outcome.',
      ['outcome'],
      { outcome: ['reserved', 'confirmed', 'released', 'expired', 'repeated'] },
    ),
    sweepMs: config.sweep.intervalMs,
    couponLocks: createCouponLockLimiter(runtime.database, config.database.connections.transactions),
    closeClients: () => toCustomers.close(),
  }
}
