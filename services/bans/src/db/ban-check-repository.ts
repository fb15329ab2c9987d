import type { Queryable } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { BanIdentity } from '../domain/ban.ts'
import { identityColumns } from './identity-columns.ts'

/**
 * Returns the lowest id among the enabled bans that share any of the identities. The inner `limit` turns each identity
 * into a short index scan; with a plain join the planner may read all bans of the store instead.
 */
export async function findEnabledBan(
  db: Queryable,
  storeId: string,
  identities: readonly BanIdentity[],
  now: Date,
): Promise<string | undefined> {
  const { types, values } = identityColumns(identities)
  const [row] = await db.query<{ id: string | null }>(sql`
    select min(found.id) as id
    from unnest(${types}::text[], ${values}::text[]) as input (type, match_value)
    cross join lateral (
      select ban.id from ban_identity
      join ban on ban.store_id = ban_identity.store_id and ban.id = ban_identity.ban_id
      where ban_identity.store_id = ${storeId} and ban_identity.type = input.type
        and ban_identity.match_value = input.match_value and (ban.expires_at is null or ban.expires_at > ${now})
      order by ban_identity.ban_id limit 1
    ) found`)
  return row?.id ?? undefined
}
