import { foldForSearch, wordsOf } from './folded-words.ts'
import { hintKeys } from './hint-keys.ts'
import { identifiersIn } from './identifiers.ts'
import { keyHasher } from './key-hash.ts'
import type { Searchable } from './searchable.ts'

/**
 * Increment it when you change what is indexed of a record or how it is indexed. The service then rebuilds the index by
 * itself. Until that is complete, searches apply the new rules to the old index and can miss records.
 */
export const indexVersion = 4

/** The searchable part of a document. */
export interface IndexEntry {
  /** The words of its texts, separated by spaces. */
  words: string
  /** Values that are matched only completely: distinct int8 values in decimal. */
  keys: string[]
}

/**
 * Computes the index entry of a record of the store. The record's own id has no key, because the document is found by
 * it anyway.
 */
export function indexEntry(storeId: string, id: string, { texts, ids, hints }: Searchable): IndexEntry {
  const key = keyHasher(storeId)
  const folded = texts.map(foldForSearch)
  const keys = new Set<string>()
  for (const value of new Set(folded)) {
    // Only a text without words is looked up as a whole value; any other text is found by its words.
    if (wordsOf(value).length === 0) keys.add(key('value', value))
    for (const identifier of identifiersIn(value)) keys.add(key('value', identifier))
  }
  for (const other of ids) if (other !== id) keys.add(key('id', foldForSearch(other)))
  for (const [kind, value] of hintKeys(hints)) if (value !== id) keys.add(key(kind, value))
  return { words: firstWords(folded).join(' '), keys: [...keys] }
}

/** The distinct words that are indexed. */
function firstWords(folded: readonly string[]): string[] {
  return [...new Set(folded.flatMap(wordsOf).slice(0, maxWords))]
}

/** Words per record; further words are not indexed. Only metadata comes near this limit. */
const maxWords = 1000
