import { compilePattern, type Pattern } from './domain/pattern.ts'

/** Compiled patterns, so that a checkout does not compile those of its products anew. A pure function of the text. */
export function createPatternCache(size: number): PatternCache {
  // A Map keeps the order of insertion: what was not asked for the longest comes first.
  const known = new Map<string, Pattern>()
  return {
    get(text) {
      const pattern = known.get(text) ?? compileSaved(text)
      known.delete(text)
      known.set(text, pattern)
      const [oldest] = known.keys()
      if (known.size > size && oldest !== undefined) known.delete(oldest)
      return pattern
    },
    get size() {
      return known.size
    },
  }
}

export interface PatternCache {
  /** The pattern of a variable, which was checked when it was saved. */
  get(text: string): Pattern
  readonly size: number
}

function compileSaved(text: string): Pattern {
  const { pattern, problem } = compilePattern(text)
  if (!pattern) throw new Error(`A saved pattern is refused: ${problem}`)
  return pattern
}
