import { raw } from 'sql-template-tag'
import type { ApiKeyDraft } from '../domain/api-key.ts'

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

/** Columns of an ApiKeyRow. */
export const apiKeyColumns = raw(`id, store_id as "storeId", name, hash, scopes, version, created_at as "createdAt",
  expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`)
