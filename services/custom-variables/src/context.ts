import type { Runtime } from '@storekeep/common/service'
import { createPatternCache, type PatternCache } from './pattern-cache.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  patterns: PatternCache
}

export function createContext(runtime: Runtime): AppContext {
  return { ...runtime, patterns: createPatternCache(200) }
}
