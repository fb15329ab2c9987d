import { foldForSearch, wordsOf } from './folded-words.ts'
import type { Searchable } from './searchable.ts'
import { isOneTypoAway } from './typo.ts'
import { mayHaveTypo } from './word-keys.ts'

/** How well a query fits a record, from 100 to 0 (it does not). Depends on these two alone. */
export function scoreOf(id: string, { texts, ids }: Searchable, query: { folded: string; words: readonly string[] }) {
  if (query.folded === '') return 0
  if (query.folded === id) return scores.id
  const values = [...texts, ...ids].map(foldForSearch)
  if (values.includes(query.folded)) return scores.value
  if (query.words.length === 0) return 0
  const words = [...new Set(texts.flatMap((text) => wordsOf(foldForSearch(text))))]
  const whole = new Set(ids.map(foldForSearch))
  return Math.min(...query.words.map((word) => (whole.has(word) ? scores.word : scoreOfWord(word, words))))
}

const scores = { id: 100, value: 90, word: 70, start: 50, part: 30, typo: 10 } as const

/** A part of one or two letters is not looked for. */
const shortestPart = 3

function scoreOfWord(asked: string, words: readonly string[]): number {
  if (words.includes(asked)) return scores.word
  if (words.some((word) => word.startsWith(asked))) return scores.start
  if ([...asked].length >= shortestPart && words.some((word) => word.includes(asked))) return scores.part
  return mayHaveTypo(asked) && words.some((word) => mayBeTypoOf(asked, word)) ? scores.typo : 0
}

/** Ids are whole numbers, and of what is indexed without gaps only deletions are recognised. */
function mayBeTypoOf(asked: string, word: string): boolean {
  return (mayHaveTypo(word) || [...word].length < [...asked].length) && isOneTypoAway(asked, word)
}
