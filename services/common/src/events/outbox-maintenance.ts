import sql from 'sql-template-tag'
import { createPeriodicTask, type PeriodicTask } from '../lifecycle/index.ts'
import type { Logger } from '../log/index.ts'
import type { Database, Queryable } from '../postgres/index.ts'
import { sweepIdempotencyRecords } from '../write/index.ts'
import { pruneDeadLetters } from './dead-letters.ts'
import { pruneOutbox } from './outbox.ts'

/**
 * Deletes expired rows from the outbox, idempotency records, consumed events and replayed dead letters, in batches of 1,000,
 * once a minute. Replicas skip rows that another one is deleting.
 */
export function createOutboxMaintenance({ database, log }: { database: Database; log: Logger }): PeriodicTask {
  return createPeriodicTask({
    name: 'outbox-maintenance',
    everyMs: 60_000,
    log,
    async run(isStopping) {
      for (const prune of [pruneOutbox, sweepIdempotencyRecords, pruneConsumedEvents, pruneDeadLetters])
        while (!isStopping() && (await prune(database, batchSize)) === batchSize);
    },
  })
}

const batchSize = 1000

/**
 * Deletes records older than 35 days. An event can be published again while its outbox row exists (14 days) and then stay
 * in a new stream for another 14 days; one week is added for a consumer that was stopped.
 */
async function pruneConsumedEvents(database: Queryable, limit: number): Promise<number> {
  const deleted = await database.query(sql`
    delete from consumed_event where (consumer, event_id) in (
      select consumer, event_id from consumed_event where consumed_at < now() - interval '35 days'
      limit ${limit} for update skip locked
    ) returning 1`)
  return deleted.length
}
