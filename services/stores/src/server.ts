import { bind, createGrpcServer, type GrpcServer } from '@storekeep/common/grpc'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { AppContext } from './context.ts'
import { createHandlers } from './handlers/index.ts'

export function createServer(ctx: AppContext, ready: () => Promise<boolean>): GrpcServer {
  return createGrpcServer({
    services: [bind(StoresService, createHandlers(ctx))],
    log: ctx.log,
    metrics: ctx.metrics,
    ready,
  })
}
