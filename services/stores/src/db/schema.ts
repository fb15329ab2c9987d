import type { Scope } from '../domain/scope.ts'
import type { Game } from '../domain/store.ts'

/** Rows as the repositories answer them. Ids and versions are int8 and therefore strings. */
export interface StoreRow {
  id: string
  slug: string
  name: string
  game: Game
  currency: string
  logoUrl: string | null
  logoSquareUrl: string | null
  bedrockPrefix: string
  version: string
  createdAt: Date
  updatedAt: Date | null
}

export interface ApiKeyRow {
  id: string
  storeId: string
  name: string
  /** HMAC-SHA256 of the secret. */
  hash: Buffer
  scopes: Scope[]
  version: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}
