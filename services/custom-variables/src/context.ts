import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { createPatternEngine, type PatternEngine } from './steps/pattern-engine.ts'

/** The dependencies of the handlers, built in one place. */
export interface AppContext extends Runtime {
  patterns: PatternEngine
}

/** The handlers of this service, one per RPC. */
export type CustomVariablesHandlers = Handlers<typeof CustomVariablesService>

export function createContext(runtime: Runtime): AppContext {
  return { ...runtime, patterns: createPatternEngine() }
}
