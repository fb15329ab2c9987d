import { mayHaveTypo } from '../domain/typos.ts'

/**
 * The keys under which a word is indexed. Each key has a kind and a text.
 *
 * | kind | text | finds |
 * |---|---|---|
 * | `word` | the word | the word |
 * | `start` | its first letter, its first two letters | words that start with one or two letters |
 * | `part` | each three consecutive letters | longer starts and parts, as candidates to be checked in the text |
 * | `gap <n>` | the word without letter n | words with one typo, see `typoKeys` |
 */
export function documentWordKeys(word: string): WordKey[] {
  const letters = [...word]
  const keys: WordKey[] = [['word', word], ...startKeys(letters), ...partKeys(letters)]
  if (mayHaveTypo(word)) {
    for (const [index, without] of deletions(letters)) keys.push([`gap ${index}`, without])
  }
  return keys
}

/** The keys by which a word of a query is looked up. */
export function queryWordKeys(word: string): WordQuery {
  const letters = [...word]
  if (letters.length < partLength)
    return {
      parts: [],
      alternatives: [
        ['start', word],
        ['id', word],
      ],
    }
  return { parts: partKeys(letters), alternatives: [['word', word], ['id', word], ...typoKeys(word, letters)] }
}

/** A record matches if it has all `parts` and its text contains the word, or if it has any of `alternatives`. */
export interface WordQuery {
  /** Empty if only the alternatives count. */
  parts: readonly WordKey[]
  alternatives: readonly WordKey[]
}

export type WordKey = readonly [kind: string, text: string]

const partLength = 3
function startKeys(letters: readonly string[]): WordKey[] {
  return [1, 2].filter((size) => size <= letters.length).map((size) => ['start', letters.slice(0, size).join('')])
}

function partKeys(letters: readonly string[]): WordKey[] {
  return Array.from({ length: Math.max(0, letters.length - partLength + 1) }, (_, from) => [
    'part',
    letters.slice(from, from + partLength).join(''),
  ])
}

function deletions(letters: readonly string[]): [number, string][] {
  return letters.map((_, index) => [index, letters.toSpliced(index, 1).join('')])
}

/**
 * The keys of exactly the words that are one edit away. A replaced letter leaves the same gap at the same position, an
 * extra letter is deleted here, a missing letter is a gap there, and each swap of neighbours is tried. The position is
 * part of a gap's key; without it, words two edits apart would match.
 */
function typoKeys(word: string, letters: readonly string[]): WordKey[] {
  if (!mayHaveTypo(word)) return []
  const keys: WordKey[] = []
  for (const [index, without] of deletions(letters)) {
    keys.push([`gap ${index}`, without], ['word', without], [`gap ${index}`, word])
  }
  keys.push([`gap ${letters.length}`, word])
  for (let index = 0; index + 1 < letters.length; index += 1) {
    const [first = '', second = ''] = letters.slice(index)
    if (first !== second) keys.push(['word', letters.toSpliced(index, 2, second, first).join('')])
  }
  return keys
}
