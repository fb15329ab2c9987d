import sql from 'sql-template-tag'
import type { Logger } from '../log/index.ts'
import type { Database, Queryable } from '../postgres/index.ts'
import { sweepIdempotencyRecords } from '../write/index.ts'
import { pruneOutbox } from './outbox.ts'

/**
 * Deletes what the tables of the shared runtime no longer need, a thousand rows at a time, about once a minute.
 * Replicas do not disturb each other: each skips rows that another is deleting.
 */
export function createHousekeeping({ database, log }: { database: Database; log: Logger }): Housekeeping {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopping = false

  async function sweep(): Promise<void> {
    for (const prune of [pruneOutbox, sweepIdempotencyRecords, pruneConsumedEvents]) {
      while (!stopping && (await prune(database, batchSize)) === batchSize);
    }
  }

  return {
    start() {
      timer ??= setInterval(() => {
        running = sweep().catch((error: unknown) => log.warn({ err: error }, 'old rows could not be deleted'))
      }, everyMs).unref()
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await running
    },
  }
}

const everyMs = 60_000
const batchSize = 1000

/**
 * An event can come once more for as long as its outbox row lives (14 days), and then lie in a new stream for another
 * 14; a week on top of that for a consumer that was away.
 */
async function pruneConsumedEvents(database: Queryable, limit: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    with pruned as (
      delete from consumed_event where (consumer, event_id) in (
        select consumer, event_id from consumed_event where consumed_at < now() - interval '35 days'
        limit ${limit} for update skip locked
      ) returning 1
    )
    select count(*)::int as count from pruned`)
  return row?.count ?? 0
}

interface Housekeeping {
  start(): void
  stop(): Promise<void>
}
