import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { createContext } from './context.ts'
import { consumers } from './events/consumers.ts'
import { exportedRecords } from './exports.ts'
import { createAffiliateLinkHandlers } from './handlers/affiliate-link-handlers.ts'
import { createCouponHandlers } from './handlers/coupon-handlers.ts'
import { redemptionPrune } from './redemptions/prune.ts'
import { redemptionSweep } from './redemptions/sweep.ts'

export const coupons = defineService({
  name: 'coupons',
  nodeNumber: 4,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [
    bind(CouponsService, createCouponHandlers(ctx)),
    bind(AffiliateLinksService, createAffiliateLinkHandlers(ctx)),
  ],
  consumers,
  tasks: (ctx) => [redemptionSweep(ctx), redemptionPrune(ctx)],
  exports: () => exportedRecords,
  close: (ctx) => ctx.closeClients(),
})
