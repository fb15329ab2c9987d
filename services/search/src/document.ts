import type { DocumentRow } from './db/schema.ts'
import { indexParts } from './domain/document-index.ts'
import type { Kind } from './kinds/index.ts'

/** A record of one version, as its owner exports it or an event tells it. */
export interface KnownRecord {
  storeId: string
  id: string
  version: string
  record: Uint8Array
}

/** What the index keeps of a record. */
export function documentOf(kind: Kind, { storeId, id, version, record }: KnownRecord): DocumentRow {
  const parts = indexParts(storeId, kind.describe(record))
  return { storeId, id, type: kind.type, version, deleted: false, record: Buffer.from(record), ...parts }
}

/** What the index keeps of a record that is gone: that no event before this version may bring it back. */
export function tombstoneOf({ type }: Kind, { storeId, id, version }: Omit<KnownRecord, 'record'>): DocumentRow {
  return { storeId, id, type, version, deleted: true, record: Buffer.alloc(0), words: '', keys: [] }
}
