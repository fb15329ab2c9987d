import { type SearchedRecord, searchedRecords } from '@storekeep/proto/conventions/searched-records'
import { indexEntry, indexedWords, typeKey } from '../domain/document-index.ts'
import { keyHasher } from '../domain/key-hash.ts'
import type { SearchQuery } from '../domain/search-query.ts'
import type { Searchable } from '../domain/searchable.ts'
import { documentWordKeys, queryWordKeys } from './word-keys.ts'

/** The keys of a document in layout 1. */
export function previousKeys(storeId: string, type: SearchedRecord, searchable: Searchable): string[] {
  const key = keyHasher(storeId)
  const keys = new Set([typeKey(storeId, type), ...indexEntry(storeId, '', searchable).keys])
  for (const word of indexedWords(searchable.texts)) {
    for (const [kind, text] of documentWordKeys(word)) keys.add(key(kind, text))
  }
  return [...keys]
}

/** A query and its hints as keys of layout 1. */
export interface PreviousQuery {
  words: readonly QueryWord[]
  /** A record must have all these keys. */
  required: readonly string[]
  /** The key that all records of a type have. */
  typeKeys: Readonly<Record<SearchedRecord, string>>
}

/** A record matches if it has all `parts` and its text contains the word, or if it has any of `alternatives`. */
export interface QueryWord {
  word: string
  parts: readonly string[]
  alternatives: readonly string[]
}

export function previousQuery(storeId: string, { words, requirements }: Omit<SearchQuery, 'exactId'>): PreviousQuery {
  const key = keyHasher(storeId)
  return {
    words: words.map((word) => {
      const { parts, alternatives } = queryWordKeys(word)
      return {
        word,
        parts: parts.map(([kind, text]) => key(kind, text)),
        alternatives: [...new Set(alternatives.map(([kind, text]) => key(kind, text)))],
      }
    }),
    required: requirements.flatMap(({ start, keys }) => (start === undefined ? keys : [])),
    typeKeys: Object.fromEntries(
      searchedRecords.map((type) => [type, typeKey(storeId, type)]),
    ) as PreviousQuery['typeKeys'],
  }
}
