import type { Queryable } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { BanIdentity } from '../domain/ban.ts'
import { identityArrays } from './identity-arrays.ts'

/**
 * The lowest id among the bans in force that have any of the identities. One index look-up for each of them, in one
 * statement, however many bans the store has.
 */
export async function findBanInForce(
  db: Queryable,
  storeId: string,
  identities: readonly BanIdentity[],
  now: Date,
): Promise<string | undefined> {
  const { types, values } = identityArrays(identities)
  const [row] = await db.query<{ id: string | null }>(sql`
    select min(ban.id) as id
    from unnest(${types}::text[], ${values}::text[]) as asked (type, match_value)
    join ban_identity using (type, match_value)
    join ban on ban.store_id = ban_identity.store_id and ban.id = ban_identity.ban_id
    where ban_identity.store_id = ${storeId} and (ban.expires_at is null or ban.expires_at > ${now})`)
  return row?.id ?? undefined
}
