import sql from 'sql-template-tag'
import type { Logger } from '../log/index.ts'
import type { Database, Queryable } from '../postgres/index.ts'
import { sweepIdempotencyRecords } from '../write/index.ts'
import { pruneOutbox } from './outbox.ts'

/**
 * Deletes expired rows from the outbox, idempotency records and consumed events, in batches of 1,000, once a minute.
 * Replicas skip rows that another one is deleting.
 */
export function createOutboxMaintenance({ database, log }: { database: Database; log: Logger }): OutboxMaintenance {
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
        running = sweep().catch((error: unknown) => log.warn({ err: error }, 'outbox maintenance failed'))
      }, intervalMs).unref()
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await running
    },
  }
}

const intervalMs = 60_000
const batchSize = 1000

/**
 * Deletes records older than 35 days. An event can be published again while its outbox row exists (14 days) and then stay
 * in a new stream for another 14 days; one week is added for a consumer that was stopped.
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

interface OutboxMaintenance {
  start(): void
  stop(): Promise<void>
}
