import { createClient, createGrpcTransport, type Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { Metrics } from '@storekeep/common/telemetry'
import type { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import type { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { type CustomerDirectory, createCustomerDirectory } from './adapters/customer-directory.ts'
import type { CouponsConfig } from './config.ts'
import { createLedgerTurns, type LedgerTurns } from './redemptions/db/coupon-lock-limiter.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  customers: CustomerDirectory
  redemptionCounter: ReturnType<Metrics['counter']>
  redemptionSweepMs: number
  /** For what locks a coupon of the store. */
  ledgerOf: LedgerTurns
  /** Closes the connections to other services. */
  closeClients(): void
}

/** The handlers of CouponsService, one per rpc. */
export type CouponsHandlers = Handlers<typeof CouponsService>

/** The handlers of AffiliateLinksService, one per rpc. */
export type AffiliateLinksHandlers = Handlers<typeof AffiliateLinksService>

export function createContext(runtime: Runtime, config: CouponsConfig): AppContext {
  const toCustomers = createGrpcTransport({
    address: config.customers.address,
    metrics: runtime.metrics,
    tls: runtime.tls,
  })
  return {
    ...runtime,
    customers: createCustomerDirectory(createClient(CustomersService, toCustomers)),
    redemptionCounter: runtime.metrics.counter(
      'coupon_redemptions_total',
      'Changes to coupon redemptions, by outcome.',
      ['outcome'],
      { outcome: ['reserved', 'confirmed', 'released', 'expired', 'repeated'] },
    ),
    redemptionSweepMs: config.redemptions.sweepMs,
    ledgerOf: createLedgerTurns(runtime.database, config.database.poolSize),
    closeClients: () => toCustomers.close(),
  }
}
