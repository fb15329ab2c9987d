import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { RedemptionsService } from '@storekeep/proto/coupons/v1/redemptions_service'
import { createAffiliateLinkHandlers } from './affiliate-links/handlers/index.ts'
import { createContext } from './context.ts'
import { createCouponHandlers } from './coupons/handlers/index.ts'
import { exportedRecords } from './exports.ts'
import { consumers } from './redemptions/events/consumers.ts'
import { createRedemptionHandlers } from './redemptions/handlers/index.ts'
import { expireReservations } from './redemptions/tasks/expire-reservations.ts'
import { pruneRedemptions } from './redemptions/tasks/prune-redemptions.ts'

export const coupons = defineService({
  name: 'coupons',
  nodeNumber: 4,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [
    bind(CouponsService, createCouponHandlers(ctx)),
    bind(RedemptionsService, createRedemptionHandlers(ctx)),
    bind(AffiliateLinksService, createAffiliateLinkHandlers(ctx)),
  ],
  consumers,
  tasks: (ctx) => [expireReservations(ctx), pruneRedemptions(ctx)],
  exports: () => exportedRecords,
  close: (ctx) => ctx.closeClients(),
})
