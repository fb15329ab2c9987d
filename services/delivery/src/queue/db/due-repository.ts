import type { Queryable } from '@storekeep/common/postgres'
import sql, { raw, type Sql } from 'sql-template-tag'

/** When a server has commands to give out. Times are microseconds since 1970, by the clock of the database. */
export interface QueueTimes {
  gameServerId: string
  /** When a command for everybody is available; null if there is none. */
  dueAt: number | null
  /** Likewise for commands that wait for their player. */
  onlineDueAt: number | null
  /** When the row was changed. Identifies its state. */
  changedAt: number
}

/** The queues that have commands or changed after a time, in microseconds, with the time of the database. */
export async function selectQueues(db: Queryable, since: number): Promise<QueuesAt> {
  return await readQueues(db, sql`next_due_at is not null or next_online_due_at is not null or ${hasChanged(since)}`)
}

/** The queues that changed after a time, in microseconds, with the time of the database. */
export async function selectChangedQueues(db: Queryable, since: number): Promise<QueuesAt> {
  return await readQueues(db, hasChanged(since))
}

function hasChanged(since: number): Sql {
  return sql`changed_at > to_timestamp(${since}::float8 / 1e6)`
}

export interface QueuesAt {
  queues: QueueTimes[]
  /** In microseconds. */
  databaseTime: number
}

// One statement, so that the time is known even if there is no row.
async function readQueues(db: Queryable, condition: Sql): Promise<QueuesAt> {
  const rows = await db.query<Nullable<QueueTimes> & { databaseTime: number }>(sql`
    select ${micros('statement_timestamp()')} as "databaseTime", ${queueTimes}
    from (select) as clock left join command_queue on ${condition}`)
  return {
    queues: rows.filter((row): row is QueueTimes & { databaseTime: number } => row.gameServerId !== null),
    databaseTime: rows[0]?.databaseTime ?? Number.NaN,
  }
}

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** A time as microseconds since 1970. */
export function micros(time: string): Sql {
  return raw(`(extract(epoch from ${time}) * 1e6)::float8`)
}

/** The columns of QueueTimes. */
export const queueTimes = sql`game_server_id as "gameServerId", ${micros('next_due_at')} as "dueAt",
  ${micros('next_online_due_at')} as "onlineDueAt", ${micros('changed_at')} as "changedAt"`
