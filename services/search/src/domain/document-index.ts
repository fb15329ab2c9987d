import { foldForSearch, wordsOf } from './folded-words.ts'
import { hintKeys } from './hint-forms.ts'
import { keyMaker } from './key-hash.ts'
import type { Searchable } from './searchable.ts'
import { documentWordKeys } from './word-keys.ts'

/**
 * Raised by every change of what is indexed of a record, or how: an index of another version is built anew by itself,
 * and serves until then.
 */
export const indexVersion = 1

/** What the index holds of a record. */
export interface IndexedParts {
  /** The words of its texts, between spaces. */
  words: string
  /** int8 in decimal, none twice. */
  keys: string[]
}

/** Computes what the index holds of a record of the store. */
export function indexParts(storeId: string, { texts, ids, hints }: Searchable): IndexedParts {
  const key = keyMaker(storeId)
  const folded = texts.map(foldForSearch)
  const words = new Set(folded.flatMap(wordsOf).slice(0, maxWords))
  const keys = new Set<string>()
  // Only what has no words is looked up as a value; the words of anything else find it.
  for (const value of folded) if (wordsOf(value).length === 0) keys.add(key('value', value))
  for (const id of ids) keys.add(key('id', foldForSearch(id)))
  for (const word of words) for (const [kind, text] of documentWordKeys(word)) keys.add(key(kind, text))
  for (const [kind, text] of hintKeys(hints)) keys.add(key(kind, text))
  return { words: [...words].join(' '), keys: [...keys] }
}

/** Of one record; what follows is not searched. Only metadata gets near it. */
const maxWords = 1000
