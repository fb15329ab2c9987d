import sql, { type Sql } from 'sql-template-tag'
import { longestWithTypo } from '../domain/typos.ts'

/**
 * The grams of a word: each three consecutive letters and, for typos, its first and its last half together with its
 * length. One edit leaves one of the halves unchanged, unless it swaps the letters between them. The store and the type
 * are part of each hash, so a lookup reads only entries of its store. Lookups check the word itself, so collisions are
 * harmless.
 */
export const documentGrams = () => `array(
  select ${gram('store_id', 'type', 'substr(word, at, 3)')} from generate_series(1, length(word) - 2) at
  union select ${gram('store_id', 'type', firstHalf('word', 'length(word)'))} where length(word) <= ${longestWithTypo + 1}
  union select ${gram('store_id', 'type', lastHalf('word', 'length(word)'))} where length(word) <= ${longestWithTypo + 1}
)`

/**
 * The grams by which a part of words is looked up: as few as cover it, because each is read separately. Up to twelve letters,
 * nine are enough: a fourth gram costs more than the few words it excludes. Of longer parts, any gram can be a rare one.
 */
export function partGrams(storeId: string, type: Sql, part: Sql): Sql {
  return sql`array(
    select hashtext(${storeId}::bigint || ${type} || ':' || substr(${part}, least(at, length(${part}) - 2), 3))
    from generate_series(1, case when length(${part}) > 12 then length(${part}) else least(length(${part}), 9) end, 3) at)`
}

/** The grams by which the words are looked up that are one edit away from the word of a query. */
export function typoGrams(): string {
  const lengths = 'generate_series(length(term.word) - 1, length(term.word) + 1) size'
  return `array(
    select ${gram('store.id', 'of.type', firstHalf('term.word', 'size'))} from ${lengths}
    union all select ${gram('store.id', 'of.type', lastHalf('term.word', 'size'))} from ${lengths})`
}

function gram(storeId: string, type: string, text: string): string {
  return `hashtext(${storeId} || ${type} || ':' || ${text})`
}

function firstHalf(word: string, size: string): string {
  return `'<' || ${size} || ' ' || left(${word}, ${size} / 2)`
}

function lastHalf(word: string, size: string): string {
  return `'>' || ${size} || ' ' || right(${word}, ${size} - ${size} / 2)`
}
