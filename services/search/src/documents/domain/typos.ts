import { isOneEditApart } from './edit-distance.ts'

/** False for numbers: a number that differs in one digit is another id. */
export function mayHaveTypo(word: string): boolean {
  const { length } = [...word]
  return length >= shortestWithTypo && length <= longestWithTypo && !isNumber(word)
}

/**
 * True if the word of a record is found by the word of a query with one typo. A word that cannot have a typo, such as a
 * number, is found only by a term with an extra letter.
 */
export function isTypoOf(term: string, word: string): boolean {
  if (!isOneEditApart(term, word) || !mayHaveTypo(term)) return false
  return mayHaveTypo(word) || [...word].length < [...term].length
}

/**
 * The word with the two letters in its middle swapped; see `typoGrams`. Undefined if they are equal.
 */
export function swappedMiddle(word: string): string | undefined {
  const letters = [...word]
  const middle = letters.length >> 1
  const [first = '', second = ''] = letters.slice(middle - 1)
  return first === second ? undefined : letters.toSpliced(middle - 1, 2, second, first).join('')
}

/**
 * Letters of a word that every word one edit away has as well: its long start, its long end, or both its short start and its short
 * end. One edit changes at most two neighboring letters.
 */
export function unchangedParts(word: string): Record<'longStart' | 'longEnd' | 'shortStart' | 'shortEnd', string> {
  const letters = [...word]
  const { length } = letters
  const short = Math.floor((length - 2) / 3)
  const part = (from: number, to: number) => letters.slice(from, to).join('')
  return {
    longStart: part(0, length - 1 - short),
    longEnd: part(short + 1, length),
    shortStart: part(0, short),
    shortEnd: part(length - short, length),
  }
}

const shortestWithTypo = 4
export const longestWithTypo = 32

function isNumber(word: string): boolean {
  return /^\p{N}+$/u.test(word)
}
