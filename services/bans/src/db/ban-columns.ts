import { raw } from 'sql-template-tag'

/** The columns of a BanRow but its identities. */
export const ownColumns = raw(`ban.id, ban.store_id as "storeId", ban.reason, ban.expires_at as "expiresAt",
  ban.created_by as "createdBy", ban.created_at as "createdAt", ban.updated_by as "updatedBy",
  ban.updated_at as "updatedAt", ban.version`)

/** The columns of a BanRow, for a statement that reads from `ban`. */
export const banColumns = raw(`${ownColumns.sql}, (
    select coalesce(json_agg(json_build_object('type', type, 'value', value, 'matchValue', match_value)
      order by position), '[]')
    from ban_identity where store_id = ban.store_id and ban_id = ban.id
  ) as identities`)
