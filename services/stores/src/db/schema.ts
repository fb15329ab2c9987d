import type { ApiKeyDraft } from '../domain/api-key.ts'
import type { StoreDraft } from '../domain/store.ts'

/** Rows as the repositories answer them. Ids and versions are int8 and therefore strings. */
export interface StoreRow extends StoreDraft {
  id: string
  version: string
  createdAt: Date
  updatedAt: Date | null
}

export interface ApiKeyRow extends ApiKeyDraft {
  id: string
  storeId: string
  /** HMAC-SHA256 of the secret. */
  hash: Buffer
  version: string
  createdAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}
