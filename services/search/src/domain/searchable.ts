/** What a record can be found by. Texts are as its owner wrote them; those without a value are left out. */
export interface Searchable {
  /** Found by a word, its beginning, a part of it, or with a typo. */
  texts: readonly string[]
  /** Found as a whole only: ids of the record and of what it belongs to. */
  ids: readonly string[]
  /** What the hints look at. */
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
