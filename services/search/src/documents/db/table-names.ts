import { raw, type Sql } from 'sql-template-tag'

/** The table of the documents of a generation. */
export function documentTable(generation: string): Sql {
  return tableOf('document', generation)
}

/**
 * The inverted index of a generation: one row per document and term. A term is a word, or a key after a `#`. Counting and
 * paging read only its primary key, in which the documents of a term are in the order of their ids.
 */
export function postingTable(generation: string): Sql {
  return tableOf('posting', generation)
}

/** The distinct words of a generation by store and type, for lookups by part and with typos. */
export function vocabularyTable(generation: string): Sql {
  return tableOf('vocabulary', generation)
}

/** The name of an object of a generation. */
export function tableOf(name: string, generation: string): Sql {
  if (!/^[0-9]{1,18}$/.test(generation)) throw new RangeError(`invalid generation ${generation}`)
  return raw(`${name}_${generation}`)
}
