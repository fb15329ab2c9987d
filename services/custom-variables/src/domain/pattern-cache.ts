import { type CompiledPattern, compilePattern } from './pattern.ts'

/**
 * Compiled patterns, so that a checkout does not compile the patterns of its products again. The least recently used
 * ones are evicted when all together exceed `maxInstructions`.
 */
export function createPatternCache(maxInstructions: number): PatternCache {
  // A Map keeps insertion order: the least recently used pattern comes first.
  const entries = new Map<string, CompiledPattern>()
  let instructions = 0
  return {
    get(text) {
      const known = entries.get(text)
      const pattern = known ?? compilePattern(text)
      if (known) entries.delete(text)
      else instructions += pattern.size
      entries.set(text, pattern)
      for (const [oldest, { size }] of entries) {
        if (instructions <= maxInstructions || oldest === text) break
        entries.delete(oldest)
        instructions -= size
      }
      return pattern
    },
    get size() {
      return entries.size
    },
  }
}

export interface PatternCache {
  get(text: string): CompiledPattern
  readonly size: number
}
