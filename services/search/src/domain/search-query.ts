import { errors, type Violation, violation } from '@storekeep/common/errors'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import { foldForSearch, wordsOf } from './folded-words.ts'
import { hintKeys } from './hint-forms.ts'
import { keyMaker } from './key-hash.ts'
import { type Hints, hintNames } from './searchable.ts'
import { queryWordKeys } from './word-keys.ts'

/** What a search asks the index. */
export interface SearchQuery {
  /** Folded; "" when nothing was asked for. */
  folded: string
  /** All of them must be there. */
  words: readonly QueryWord[]
  /** Keys that must all be there. */
  required: readonly string[]
  /** True when no record can fit. */
  isHopeless: boolean
}

/** A word fits when all `parts` are indexed and it is in the text, or when any alternative is indexed. */
export interface QueryWord {
  word: string
  parts: readonly string[]
  alternatives: readonly string[]
}

/**
 * Reads query and hints. Hints that are blank restrict nothing.
 * @throws ServiceFault `validation-failed` for a query that is too long
 */
export function readQuery(storeId: string, query: string, hints: Hints<string>): SearchQuery {
  const violations = queryViolations(query)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const key = keyMaker(storeId)
  const folded = foldForSearch(query)
  const words = wordsOf(folded)
  const given = hintNames.filter((name) => hints[name]?.trim())
  const asked = hintKeys(Object.fromEntries(given.map((name) => [name, [hints[name] ?? '']])))
  // A query of nothing but punctuation has no words; it can still be somebody's whole name.
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
    required: [...value, ...asked.map(([kind, text]) => key(kind, text))],
    isHopeless: asked.length < given.length,
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
