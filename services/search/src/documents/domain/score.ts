import { foldForSearch, wordsOf } from './folded-words.ts'
import type { Searchable } from './searchable.ts'
import { isTypoOf } from './typos.ts'

/** How well a record matches a query: from 100 (its id) down to 0 (no match). */
export function scoreOf(id: string, { texts, ids }: Searchable, query: { folded: string; words: readonly string[] }) {
  if (query.folded === '') return 0
  if (query.folded === id) return scores.id
  const values = [...texts, ...ids].map(foldForSearch)
  if (values.includes(query.folded)) return scores.value
  if (query.words.length === 0) return 0
  const words = [...new Set(texts.flatMap((text) => wordsOf(foldForSearch(text))))]
  const exactIds = new Set(ids.map(foldForSearch))
  return Math.min(...query.words.map((word) => (exactIds.has(word) ? scores.word : scoreOfWord(word, words))))
}

const scores = { id: 100, value: 90, word: 70, start: 50, part: 30, typo: 10 } as const

/** Shorter texts match only at the start of a word. */
const shortestPart = 3

function scoreOfWord(term: string, words: readonly string[]): number {
  if (words.includes(term)) return scores.word
  if (words.some((word) => word.startsWith(term))) return scores.start
  if ([...term].length >= shortestPart && words.some((word) => word.includes(term))) return scores.part
  return words.some((word) => isTypoOf(term, word)) ? scores.typo : 0
}
