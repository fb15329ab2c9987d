import { type Audit, auditColumns, type Columns, selectColumns } from '@storekeep/common/postgres'
import { raw } from 'sql-template-tag'
import type { Ban, BanState } from '../domain/ban.ts'

/** A ban as the repositories return it. Ids are int8 and therefore strings. */
export interface BanRow extends Ban, Audit {}

/** The part of a BanRow stored in the table `ban`. */
export type BanTableRow = Omit<BanRow, 'identities'>

/** The columns of the terms of a ban that are stored in the table `ban`. */
export const banFields = {
  reason: 'reason',
  expiresAt: 'expires_at',
} as const satisfies Columns<keyof Omit<BanState, 'identities'>>

export const banTable = {
  id: 'id',
  storeId: 'store_id',
  ...banFields,
  ...auditColumns,
} as const satisfies Columns<keyof BanTableRow>

/** Columns of a BanTableRow. */
export const banTableColumns = selectColumns(banTable)

/** Columns of a BanRow, for statements that select from `ban`. */
export const banColumns = raw(`${banTableColumns.sql}, (
    select coalesce(json_agg(json_build_object('type', type, 'value', value, 'matchValue', match_value)
      order by position), '[]')
    from ban_identity where store_id = ban.store_id and ban_id = ban.id
  ) as identities`)
