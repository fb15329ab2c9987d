/** The searchable fields of a record, as its owner stored them. Empty fields are left out. */
export interface Searchable {
  /** Matched by word, start of a word, part of a word, or with a typo. */
  texts: readonly string[]
  /** Matched only completely: ids of the record and of related records. */
  ids: readonly string[]
  /** Values of the search hints. */
  hints: Hints<readonly string[]>
}

export const hintNames = [
  'customer_id',
  'steam_id',
  'minecraft_uuid',
  'xbox_xuid',
  'code',
  'name',
  'email',
  'ip',
] as const

export type HintName = (typeof hintNames)[number]
export type Hints<T> = Partial<Record<HintName, T>>
