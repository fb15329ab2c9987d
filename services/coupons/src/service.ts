import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { createContext } from './context.ts'
import { consumers } from './events/consumers.ts'
import { createCouponHandlers } from './handlers/coupon-handlers.ts'
import { redemptionSweep } from './redemption-sweep.ts'

export const coupons = defineService({
  name: 'coupons',
  nodeNumber: 4,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [bind(CouponsService, createCouponHandlers(ctx))],
  consumers,
  tasks: (ctx) => [redemptionSweep(ctx)],
  close: (ctx) => ctx.closeClients(),
})
