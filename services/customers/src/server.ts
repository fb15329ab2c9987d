import { bind, createGrpcServer, type GrpcServer } from '@storekeep/common/grpc'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import type { AppContext } from './context.ts'
import { createHandlers } from './handlers/index.ts'

export function createServer(ctx: AppContext, ready: () => Promise<boolean>): GrpcServer {
  return createGrpcServer({
    services: [bind(CustomersService, createHandlers(ctx))],
    log: ctx.log,
    metrics: ctx.metrics,
    ready,
  })
}
