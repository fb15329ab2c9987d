import { RE2JS, RE2JSException } from 're2js'
import { maxProgramSize } from './limits.ts'

/** Whether an answer holds a match. A pattern is searched for; `^` and `$` make it one for the whole answer. */
export interface Pattern {
  fits(answer: string): boolean
  /** A bound on what that takes: instructions times characters. */
  steps(answer: string): number
}

/**
 * Compiles a pattern in RE2 syntax: no look-around and no back-references, and a time that grows with the length of the
 * text alone, whatever the pattern. How fast it grows is bounded by the size of the program.
 */
export function compilePattern(text: string): { pattern?: Pattern; problem?: string } {
  if (mayBeHuge(text)) return { problem: tooLarge }
  try {
    const program = RE2JS.compile(text)
    const size = program.programSize()
    if (size > maxProgramSize) return { problem: tooLarge }
    // Not `test`: that keeps up to 8 MiB of states with each pattern, and is no faster with the worst of them.
    const fits = (answer: string) => program.matcher(answer).find()
    return { pattern: { fits, steps: (answer) => size * [...answer].length } }
  } catch (error) {
    if (error instanceof RE2JSException) return { problem: 'must be a regular expression in RE2 syntax' }
    throw error
  }
}

const tooLarge = 'must not repeat that much: it would be too slow'

/**
 * Whether compiling may take long, from the text alone: each repetition of a group multiplies what is in it, any other
 * adds as many characters. Counts too much rather than too little, and so leaves room for patterns that are fine.
 */
function mayBeHuge(text: string): boolean {
  let characters = text.length
  let factor = 1
  for (const [, group, least = '', most = ''] of text.matchAll(repetitions)) {
    const times = Math.max(Number(least), Number(most), 1)
    if (group === ')') factor *= times
    else characters += times
  }
  return characters * factor > maxEstimate
}

const repetitions = /(.?)\{(\d{1,9})(?:,(\d{0,9}))?\}/gsu
const maxEstimate = 20_000
