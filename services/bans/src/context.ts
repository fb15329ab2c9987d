import type { Runtime } from '@storekeep/common/service'

/** Everything a handler may use. This service needs no more than every service has. */
export type AppContext = Runtime

export function createContext(runtime: Runtime): AppContext {
  return runtime
}
