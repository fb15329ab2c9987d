import type { Queryable } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'

/** Writes when, to the minute, and from where servers of any store have last fetched commands. */
export async function recordFetches(
  db: Queryable,
  fetches: readonly { storeId: string; gameServerId: string; ip: string; at: Date }[],
): Promise<void> {
  await db.query(sql`
    update game_server set last_fetched_at = date_trunc('minute', polled.at), last_fetched_from_ip = nullif(polled.ip, '')
    from unnest(
      ${fetches.map(({ storeId }) => storeId)}::bigint[], ${fetches.map(({ gameServerId }) => gameServerId)}::bigint[],
      ${fetches.map(({ ip }) => ip)}::text[], ${fetches.map(({ at }) => at)}::timestamptz[]
    ) as polled (store_id, id, ip, at)
    where game_server.store_id = polled.store_id and game_server.id = polled.id
      and (last_fetched_at is null or last_fetched_at <= polled.at)`)
}
