import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { CartsService } from '@storekeep/proto/checkout/v1/carts_service'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { TagsService } from '@storekeep/proto/checkout/v1/tags_service'
import { createCartHandlers } from './carts/handlers/index.ts'
import { idleCarts } from './carts/tasks/delete-idle-carts.ts'
import { createContext } from './context.ts'
import { exportedRecords } from './exports.ts'
import { consumers } from './products/events/consumers.ts'
import { createProductHandlers } from './products/handlers/index.ts'
import { createCheckoutHandlers } from './sessions/handlers/index.ts'
import { sweeps } from './sessions/tasks/sweep.ts'
import { createTagHandlers } from './tags/handlers/index.ts'

export const checkout = defineService({
  name: 'checkout',
  nodeNumber: 6,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [
    bind(CheckoutService, createCheckoutHandlers(ctx)),
    bind(ProductsService, createProductHandlers(ctx)),
    bind(TagsService, createTagHandlers(ctx)),
    bind(CartsService, createCartHandlers(ctx)),
  ],
  consumers,
  tasks: (ctx) => [...sweeps(ctx), idleCarts(ctx)],
  exports: exportedRecords,
  close: (ctx) => ctx.closeClients(),
})
