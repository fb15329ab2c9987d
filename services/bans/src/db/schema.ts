import { raw } from 'sql-template-tag'
import type { Ban } from '../domain/ban.ts'

/** A ban as the repositories return it. Ids and versions are int8 and therefore strings. */
export interface BanRow extends Ban {
  /** Written by `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}

/** The part of a BanRow stored in the table `ban`. */
export type BanTableRow = Omit<BanRow, 'identities'>

/** Columns of a BanTableRow. */
export const banTableColumns = raw(`id, store_id as "storeId", reason, expires_at as "expiresAt",
  created_by as "createdBy", created_at as "createdAt", updated_by as "updatedBy", updated_at as "updatedAt", version`)

/** Columns of a BanRow, for statements that select from `ban`. */
export const banColumns = raw(`${banTableColumns.sql}, (
    select coalesce(json_agg(json_build_object('type', type, 'value', value, 'matchValue', match_value)
      order by position), '[]')
    from ban_identity where store_id = ban.store_id and ban_id = ban.id
  ) as identities`)
