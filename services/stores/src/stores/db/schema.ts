import { raw } from 'sql-template-tag'
import type { StoreDraft } from '../domain/store.ts'

/** Rows as the repositories return them. Ids and versions are int8 and therefore strings. */
export interface StoreRow extends StoreDraft {
  id: string
  version: string
  createdAt: Date
  updatedAt: Date | null
}

/** Columns of a StoreRow. */
export const storeColumns =
  raw(`id, slug, name, game, currency, logo_url as "logoUrl", logo_square_url as "logoSquareUrl",
  bedrock_prefix as "bedrockPrefix", accent_color as "accentColor", version, created_at as "createdAt", updated_at as "updatedAt"`)
