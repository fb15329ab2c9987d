import { expectRow, type Queryable } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'

/** What waits in all stores, and the game servers for which it waits. */
export interface Backlog {
  /** Commands for everybody that are available, counted up to a limit. */
  due: number
  /** How long the oldest of them has been available to a server that polls, in seconds; 0 if there is none. */
  oldestDueAge: number
  /** Commands that are stuck, counted up to a limit. */
  stuck: number
  /** Enabled servers that have polled within the last minutes. */
  connected: number
  /** Enabled servers that have not, but did before. */
  disconnected: number
}

export async function readBacklog(db: Queryable, limit: number): Promise<Backlog> {
  // When a server has last polled is known to the minute, and written once a minute.
  const polls = sql`enabled and last_fetched_at > now() - interval '3 minutes'`
  const rows = await db.query<Backlog>(sql`
    select
      (select count(*)::int from (
        select from command_queue queue
        cross join lateral (
          select from command_attempt attempt
          where attempt.store_id = queue.store_id and attempt.game_server_id = queue.game_server_id and not online_only
            and state = 'pending' and stuck_at is null and available_at <= now()
        ) as due
        where queue.next_due_at <= now() limit ${limit}
      ) as due) as due,
      coalesce(extract(epoch from now() - (
        select min(next_due_at) from command_queue queue
        join game_server server on server.store_id = queue.store_id and server.id = queue.game_server_id and ${polls}
        where next_due_at <= now()
      )), 0)::float8 as "oldestDueAge",
      (select count(*)::int from (
        select from command_attempt
        where (state = 'blocked' or (state = 'pending' and stuck_at is not null)) and state = 'pending' limit ${limit}
      ) as stuck) as stuck,
      connected, disconnected
    from (
      select count(*) filter (where ${polls})::int as connected,
        count(*) filter (where enabled and last_fetched_at <= now() - interval '3 minutes')::int as disconnected
      from game_server
    ) as servers`)
  return expectRow(rows)
}
