import { errors, type Violation, violation } from '@storekeep/common/errors'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import { type SearchedRecord, searchedRecords } from '@storekeep/proto/conventions/searched-records'
import { foldForSearch, wordsOf } from './folded-words.ts'
import { hintKeys } from './hint-keys.ts'
import { keyHasher } from './key-hash.ts'
import { type Hints, hintNames } from './searchable.ts'
import { queryWordKeys } from './word-keys.ts'

/** A query and its hints as keys of the index. */
export interface SearchQuery {
  /** The folded query; empty if there is none. */
  folded: string
  /** A record must match all words. */
  words: readonly QueryWord[]
  /** A record must have all these keys. */
  required: readonly string[]
  /** The key that all records of a type have. */
  typeKeys: Readonly<Record<SearchedRecord, string>>
  /** True when no record can match. */
  matchesNothing: boolean
}

/** A record matches if it has all `parts` and its text contains the word, or if it has any of `alternatives`. */
export interface QueryWord {
  word: string
  parts: readonly string[]
  alternatives: readonly string[]
}

/**
 * Parses a query and its hints; blank hints are ignored.
 * @throws ServiceFault `validation-failed` when the query is too long
 */
export function readQuery(storeId: string, query: string, hints: Hints<string>): SearchQuery {
  const violations = queryViolations(query)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const key = keyHasher(storeId)
  const folded = foldForSearch(query)
  const words = wordsOf(folded)
  const given = hintNames.filter((name) => hints[name]?.trim())
  const hintKeysOfQuery = hintKeys(Object.fromEntries(given.map((name) => [name, [hints[name] ?? '']])))
  // A query of punctuation alone has no words, but can be a complete name.
  const value = folded !== '' && words.length === 0 ? [key('value', folded)] : []
  return {
    folded,
    words: words.map((word) => {
      const { parts, alternatives } = queryWordKeys(word)
      return {
        word,
        parts: parts.map(([kind, text]) => key(kind, text)),
        alternatives: [...new Set(alternatives.map(([kind, text]) => key(kind, text)))],
      }
    }),
    required: [...value, ...hintKeysOfQuery.map(([kind, text]) => key(kind, text))],
    typeKeys: Object.fromEntries(searchedRecords.map((type) => [type, key('type', type)])) as SearchQuery['typeKeys'],
    matchesNothing: hintKeysOfQuery.length < given.length,
  }
}

function queryViolations(query: string): Violation[] {
  if ([...query].length > searchLimits.queryLength) {
    return [violation('query', 'length', `must have at most ${searchLimits.queryLength} characters`)]
  }
  return wordsOf(foldForSearch(query)).length > searchLimits.queryWords
    ? [violation('query', 'max', `must have at most ${searchLimits.queryWords} words`)]
    : []
}
