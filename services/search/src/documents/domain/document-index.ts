import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { foldForSearch, wordsOf } from './folded-words.ts'
import { hintKeys } from './hint-keys.ts'
import { keyHasher } from './key-hash.ts'
import type { Searchable } from './searchable.ts'
import { documentWordKeys } from './word-keys.ts'

/**
 * Increment it when you change what is indexed of a record or how it is indexed. The service then rebuilds the index by
 * itself. Until that is complete, searches apply the new rules to the old index and can miss records.
 */
export const indexVersion = 3

/** The searchable part of a document. */
export interface IndexEntry {
  /** The words of its texts, separated by spaces. */
  words: string
  /** Distinct int8 values in decimal. */
  keys: string[]
}

/** Computes the index entry of a record of the store. */
export function indexEntry(storeId: string, type: SearchedRecord, { texts, ids, hints }: Searchable): IndexEntry {
  const key = keyHasher(storeId)
  const folded = texts.map(foldForSearch)
  const words = new Set(folded.flatMap(wordsOf).slice(0, maxWords))
  const keys = new Set([key('type', type)])
  // Only a text without words is looked up as a whole value; any other text is found by its words.
  for (const value of folded) if (wordsOf(value).length === 0) keys.add(key('value', value))
  for (const id of ids) keys.add(key('id', foldForSearch(id)))
  for (const word of words) for (const [kind, text] of documentWordKeys(word)) keys.add(key(kind, text))
  for (const [kind, text] of hintKeys(hints)) keys.add(key(kind, text))
  return { words: [...words].join(' '), keys: [...keys] }
}

/** Words per record; further words are not indexed. Only metadata comes near this limit. */
const maxWords = 1000
