import type { Queryable } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { BanIdentity } from '../domain/ban.ts'
import { identityArrays } from './identity-arrays.ts'

/**
 * The lowest id among the bans in force that have any of the identities, in one statement. The inner `limit` makes it
 * one short walk of the index for each identity, however many bans the store has: joined without it, the planner may
 * rather read all of them.
 */
export async function findBanInForce(
  db: Queryable,
  storeId: string,
  identities: readonly BanIdentity[],
  now: Date,
): Promise<string | undefined> {
  const { types, values } = identityArrays(identities)
  const [row] = await db.query<{ id: string | null }>(sql`
    select min(found.id) as id
    from unnest(${types}::text[], ${values}::text[]) as asked (type, match_value)
    cross join lateral (
      select ban.id from ban_identity
      join ban on ban.store_id = ban_identity.store_id and ban.id = ban_identity.ban_id
      where ban_identity.store_id = ${storeId} and ban_identity.type = asked.type
        and ban_identity.match_value = asked.match_value and (ban.expires_at is null or ban.expires_at > ${now})
      order by ban_identity.ban_id limit 1
    ) found`)
  return row?.id ?? undefined
}
