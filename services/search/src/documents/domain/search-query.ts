import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { foldForSearch, wordsOf } from './folded-words.ts'
import { hintKeys } from './hint-keys.ts'
import { identifiersIn, isLongNumber } from './identifiers.ts'
import { keyHasher } from './key-hash.ts'
import { type Hints, hintNames } from './searchable.ts'
import { mayHaveTypo } from './typos.ts'

/** A query and its hints as lookups in the index. */
export interface SearchQuery {
  /** The folded query; empty if there is none. */
  folded: string
  /** The distinct words of the query. */
  words: readonly string[]
  /** A record must match all of them. */
  requirements: readonly Requirement[]
  /**
   * Set if the query is a complete identifier: what a record must match to contain exactly this identifier. If any
   * record does, the search returns only these.
   */
  identifier: readonly Requirement[] | undefined
  /** The id of the record that comes first, if it matches. */
  exactId: string | undefined
  /** True when no record can match. */
  matchesNothing: boolean
}

/** Matches a record that meets at least one of the conditions. */
export interface Requirement {
  /** It has a word that starts with this text. */
  start?: string
  /** It has a word that contains this text. */
  part?: string
  /** All terms of the index that meet `start` or `part`, if these are few. */
  terms?: readonly string[]
  /** A word of the query for which one typo is allowed. */
  typoOf?: string
  /** It has one of these words. */
  words: readonly string[]
  /** It has one of these keys. */
  keys: readonly string[]
  /** Its id is this one. */
  id?: { value: string; type?: SearchedRecord }
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
  const keysOfHints = hintKeys(Object.fromEntries(given.map((name) => [name, [hints[name] ?? '']])))
  const required = keysOfHints.map(
    ([kind, value]): Requirement => ({
      words: [],
      keys: [key(kind, value)],
      // A customer has no key for its own id.
      ...(kind === 'hint customer_id' && isFlakeId(value) && { id: { value, type: 'customer' } }),
    }),
  )
  // A query of punctuation alone has no words, but can be a complete name.
  if (folded !== '' && words.length === 0) required.push({ words: [], keys: [key('value', folded)] })
  const identifier = identifierRequirement(key, folded)
  return {
    folded,
    words,
    requirements: [...required, ...words.map((word) => wordRequirement(key, word))],
    identifier: identifier && [...required, identifier],
    exactId: isFlakeId(folded) ? folded : undefined,
    matchesNothing: keysOfHints.length < given.length,
  }
}

function wordRequirement(key: ReturnType<typeof keyHasher>, word: string): Requirement {
  return {
    start: word,
    ...([...word].length >= shortestPart && !isLongNumber(word) && { part: word }),
    ...(mayHaveTypo(word) && { typoOf: word }),
    words: [],
    keys: isId(word) ? [key('id', word)] : [],
    ...(isFlakeId(word) && { id: { value: word } }),
  }
}

/** Ids are numbers, and UUIDs without dashes. */
function isId(word: string): boolean {
  return /^(?:[0-9]+|[0-9a-f]{32})$/.test(word)
}

/** Undefined if the query is no complete identifier. */
function identifierRequirement(key: ReturnType<typeof keyHasher>, folded: string): Requirement | undefined {
  if (isLongNumber(folded)) {
    return { words: [folded], keys: [key('id', folded)], ...(isFlakeId(folded) && { id: { value: folded } }) }
  }
  const [identifier, ...others] = identifiersIn(folded)
  if (identifier === undefined || others.length > 0 || /\s/.test(folded)) return undefined
  return { words: [], keys: [key('value', identifier), key('id', folded)] }
}

/** Shorter texts match only at the start of a word. */
const shortestPart = 3

function queryViolations(query: string): Violation[] {
  if ([...query].length > searchLimits.queryLength) {
    return [violation('query', 'length', `must have at most ${searchLimits.queryLength} characters`)]
  }
  return wordsOf(foldForSearch(query)).length > searchLimits.queryWords
    ? [violation('query', 'max', `must have at most ${searchLimits.queryWords} words`)]
    : []
}
