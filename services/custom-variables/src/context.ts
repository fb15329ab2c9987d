import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { createPatternCache, type PatternCache } from './pattern-cache.ts'
import { createTurns, type Turns } from './turns.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  patterns: PatternCache
  /** Of matches. */
  turns: Turns
}

/** The handlers of this service, one per rpc. */
export type CustomVariablesHandlers = Handlers<typeof CustomVariablesService>

export function createContext(runtime: Runtime): AppContext {
  return { ...runtime, patterns: createPatternCache(500), turns: createTurns() }
}
