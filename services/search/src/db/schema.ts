import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'

/** What is written of a record. Ids and versions are int8 and therefore strings. */
export interface DocumentRow {
  storeId: string
  id: string
  type: SearchedRecord
  version: string
  /** True for what is left of a record that is gone: its version. */
  deleted: boolean
  record: Buffer
  words: string
  keys: readonly string[]
}

/** A document as a search answers it. */
export interface LiveDocument {
  id: string
  type: string
  record: Buffer
}

export type GenerationState = 'running' | 'live' | 'replaced' | 'failed'

export interface GenerationRow {
  id: string
  indexVersion: number
  state: GenerationState
  startedAt: Date
  filledAt: Date | null
  finishedAt: Date | null
  problem: string | null
}

export interface GenerationPartRow {
  aggregate: string
  afterStoreId: string
  afterId: string
  filled: string
  isFilled: boolean
  checked: string
  drifted: string
}
