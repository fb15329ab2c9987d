import type { Runtime } from '@storekeep/common/service'
import { createPatternCache, type PatternCache } from './pattern-cache.ts'
import { createTurns, type Turns } from './turns.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  patterns: PatternCache
  /** Of matches. */
  turns: Turns
}

export function createContext(runtime: Runtime): AppContext {
  return { ...runtime, patterns: createPatternCache(500), turns: createTurns() }
}
