import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { BansService } from '@storekeep/proto/bans/v1/bans_service'

/** The dependencies of the handlers. This service needs nothing beyond the shared runtime. */
export type AppContext = Runtime

/** The handlers of this service, one per rpc. */
export type BansHandlers = Handlers<typeof BansService>

export function createContext(runtime: Runtime): AppContext {
  return runtime
}
