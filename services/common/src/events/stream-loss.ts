import type { JetStreamManager } from '@nats-io/jetstream'
import sql from 'sql-template-tag'
import { ensureStream, findStream, type StreamState } from '../nats/index.ts'
import type { Database, Transaction } from '../postgres/index.ts'

/**
 * Detects whether the stream has lost acknowledged events, and marks these as unpublished so that the relay publishes them
 * again. Published rows are kept for 14 days, as long as messages in the stream.
 *
 * - The stream was deleted and created again: its creation time differs. All rows are published again.
 * - The server lost the tail of the stream, since it acknowledges before it syncs to disk: the message at the sequence of
 *   our last event is a different one. All rows after the last intact one are published again.
 *
 * Consumers then receive some events twice, which they ignore.
 *
 * @param options.checkTail also detect a lost tail; needed after each connect, since a server loses it only by crashing
 * @returns the number of events to publish again, and the creation time of the stream
 */
export async function recoverStream(
  database: Database,
  manager: JetStreamManager,
  stream: string,
  options: { checkTail: boolean },
): Promise<{ count: number; created: string }> {
  await database.query(sql`insert into outbox_stream (stream) values (${stream}) on conflict do nothing`)
  return database.transaction(async (tx) => {
    // Relays check one at a time, and only after they hold the lock: events that another relay has just published must
    // not look like a loss.
    const [known] = await tx.query<{ created: string | null }>(
      sql`select created from outbox_stream where stream = ${stream} for update`,
    )
    const state = await ensureStream(manager, stream, { knownBefore: known !== undefined && known.created !== null })
    // Batches in flight may contain events that are lost too, but are not marked as published yet.
    await tx.query(sql`update outbox_stream set epoch = epoch + 1 where stream = ${stream}`)
    if (known?.created !== state.created) {
      await tx.query(sql`update outbox_stream set created = ${state.created} where stream = ${stream}`)
      return { count: await unpublishAfter(tx, 0), created: state.created }
    }
    const intact = options.checkTail ? await lastIntactSequence(tx, manager, stream, state) : undefined
    return { count: intact === undefined ? 0 : await unpublishAfter(tx, intact), created: state.created }
  })
}

/** The creation time of the stream; undefined if it does not exist. */
export async function createdOf(manager: JetStreamManager, stream: string): Promise<string | undefined> {
  return (await findStream(manager, stream))?.created
}

/** The sequence of the last intact event; undefined if the newest is intact. */
async function lastIntactSequence(
  tx: Transaction,
  manager: JetStreamManager,
  stream: string,
  state: StreamState,
): Promise<number | undefined> {
  // Doubles the step each time, so that n lost events take log n requests.
  for (let skip = 0; ; skip = skip === 0 ? 1 : skip * 2) {
    const [row] = await tx.query<{ event_id: string; stream_sequence: string }>(sql`
      select event_id, stream_sequence from outbox
      where stream_sequence is not null order by stream_sequence desc offset ${skip} limit 1`)
    if (!row) return skip === 0 ? undefined : 0
    const sequence = Number(row.stream_sequence)
    const expired = sequence < state.firstSequence
    const message = expired ? null : await manager.streams.getMessage(stream, { seq: sequence })
    if (expired || message?.header.get('ce-id') === row.event_id) return skip === 0 ? undefined : sequence
  }
}

/** Updates in batches, each far below the statement timeout, in one transaction. */
async function unpublishAfter(tx: Transaction, sequence: number): Promise<number> {
  let total = 0
  for (;;) {
    const { length } = await tx.query(sql`
      update outbox set published_at = null, stream_sequence = null where event_id in (
        select event_id from outbox where stream_sequence > ${sequence} order by stream_sequence limit ${batchSize}
      ) returning 1`)
    total += length
    if (length < batchSize) return total
  }
}

const batchSize = 5000
