/**
 * What is indexed of a word, and what is looked up for one. Each item is a kind of key and its text.
 *
 * | kind | text | finds |
 * |---|---|---|
 * | `word` | the word | the word |
 * | `start` | its first one and two letters | words that begin with one or two letters |
 * | `part` | three letters in a row | longer beginnings and parts, as candidates: all parts of the query must be there |
 * | `gap <n>` | the word without letter n | words with one typo, see `typoKeys` |
 */
export function documentWordKeys(word: string): WordKey[] {
  const letters = [...word]
  const keys: WordKey[] = [['word', word], ...startKeys(letters), ...partKeys(letters)]
  if (letters.length >= shortestWithTypo && letters.length <= longestWithTypo && !isNumber(word)) {
    for (const [index, without] of deletions(letters)) keys.push([`gap ${index}`, without])
  }
  return keys
}

/** How a word of a query is looked up. */
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

/** A word fits when all `parts` are indexed and the word is in the text, or when any alternative is indexed. */
export interface WordQuery {
  /** None: the alternatives alone decide. */
  parts: readonly WordKey[]
  alternatives: readonly WordKey[]
}

export type WordKey = readonly [kind: string, text: string]

/** Ids are not guessed at: another number is another one. */
export function mayHaveTypo(word: string): boolean {
  const { length } = [...word]
  return length >= shortestWithTypo && length <= longestWithTypo && !isNumber(word)
}

const partLength = 3
const shortestWithTypo = 4
const longestWithTypo = 32

function isNumber(word: string): boolean {
  return /^\p{N}+$/u.test(word)
}

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
 * Keys of exactly the words that are one edit away: another letter at a place leaves the same gap there, a letter too many
 * is a deletion here, a letter too few a gap there, and swapped neighbours are tried out. The place is part of a gap's
 * key; without it words two edits apart would meet.
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
