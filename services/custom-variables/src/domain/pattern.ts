import { RE2JS, RE2JSException } from 're2js'
import { maxProgramSize } from './limits.ts'

/** A pattern after compilation: either `matches` or `problem` is set. */
export interface CompiledPattern {
  /** Whether the answer contains a match; `^` and `$` anchor the pattern to the whole answer. */
  matches?: (answer: string) => boolean
  problem?: string
  /** Instructions of the program, at least 1. */
  size: number
}

/**
 * Compiles a pattern in RE2 syntax: no look-around, no back-references. Matching takes at most time proportional to
 * program size times answer length, which is seconds for the worst pattern, so this runs in a worker thread.
 */
export function compilePattern(text: string): CompiledPattern {
  try {
    const program = RE2JS.compile(text)
    const size = program.programSize()
    if (size > maxProgramSize) return { problem: 'is too large for RE2; use smaller repetitions', size: 1 }
    // `test` would cache up to 8 MiB of states per pattern and is no faster in the worst case.
    return { matches: (answer) => program.matcher(answer).find(), size }
  } catch (error) {
    if (error instanceof RE2JSException) return { problem: 'must be a regular expression in RE2 syntax', size: 1 }
    throw error
  }
}
