import { raw } from 'sql-template-tag'
import type { Ban } from '../domain/ban.ts'

/** A ban as the repositories answer it. Ids and versions are int8 and therefore strings. */
export interface BanRow extends Ban {
  /** Who made it; see `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}

/** What the table `ban` holds of a BanRow. */
export type BanOwnRow = Omit<BanRow, 'identities'>

/** The columns of a BanOwnRow. */
export const banOwnColumns = raw(`id, store_id as "storeId", reason, expires_at as "expiresAt",
  created_by as "createdBy", created_at as "createdAt", updated_by as "updatedBy", updated_at as "updatedAt", version`)

/** The columns of a BanRow, in a statement that reads from `ban`. */
export const banColumns = raw(`${banOwnColumns.sql}, (
    select coalesce(json_agg(json_build_object('type', type, 'value', value, 'matchValue', match_value)
      order by position), '[]')
    from ban_identity where store_id = ban.store_id and ban_id = ban.id
  ) as identities`)
