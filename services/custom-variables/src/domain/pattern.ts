import { RE2JS, RE2JSException } from 're2js'

/** Whether an answer holds a match. A pattern is searched for; `^` and `$` make it one for the whole answer. */
export interface Pattern {
  fits(answer: string): boolean
}

/**
 * Compiles a pattern in RE2 syntax: no look-around and no back-references, and a time that grows with the length of the
 * text alone, whatever the pattern. How fast it grows is bounded by the size of the program.
 */
export function compilePattern(text: string): { pattern?: Pattern; problem?: string } {
  if (mayBeHuge(text)) return { problem: tooLarge }
  try {
    const program = RE2JS.compile(text)
    if (program.programSize() > maxProgramSize) return { problem: tooLarge }
    // Not `test`: that keeps up to 8 MiB of states with each pattern, and is no faster with the worst of them.
    return { pattern: { fits: (answer) => program.matcher(answer).find() } }
  } catch (error) {
    if (error instanceof RE2JSException) return { problem: 'must be a regular expression in RE2 syntax' }
    throw error
  }
}

const tooLarge = 'must not repeat that much: it would be too slow'

/** In instructions. With an answer of the greatest length such a pattern takes less than a tenth of a second. */
const maxProgramSize = 1000

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
