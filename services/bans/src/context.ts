import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { BansService } from '@storekeep/proto/bans/v1/bans_service'

/** Everything a handler may use. This service needs no more than every service has. */
export type AppContext = Runtime

/** The handlers of this service, one per rpc. */
export type BansHandlers = Handlers<typeof BansService>

export function createContext(runtime: Runtime): AppContext {
  return runtime
}
