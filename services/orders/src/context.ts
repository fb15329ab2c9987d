import type { Runtime } from '@storekeep/common/service'

/** Everything a handler may use. */
export type AppContext = Runtime

export function createContext(runtime: Runtime): AppContext {
  return runtime
}
