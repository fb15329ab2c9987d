import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'

/** A document to write. Ids and versions are int8 and therefore strings. */
export interface DocumentRow {
  storeId: string
  id: string
  type: SearchedRecord
  version: string
  /** True for a deleted record, of which only the version is kept. */
  deleted: boolean
  record: Buffer
  words: string
  keys: readonly string[]
}

/** A document as a search returns it. */
export interface LiveDocument {
  id: string
  type: string
  record: Buffer
}
