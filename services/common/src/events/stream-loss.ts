import type { JetStreamManager } from '@nats-io/jetstream'
import sql from 'sql-template-tag'
import { ensureStream, type StreamState } from '../nats/index.ts'
import type { Database, Transaction } from '../postgres/index.ts'

/**
 * Finds out whether the stream has lost events that it had taken, and if so has them published again (marks them
 * unpublished). Published rows stay for 14 days, as long as the stream would have kept them.
 *
 * - The stream was deleted and made again, here or by somebody else: its time of creation is another. All rows.
 * - The stream is the same, but the server lost its tail (it acknowledges before it has synced its disk): the message
 *   at the place of our last event is not our event. All rows since the last one that is still in its place.
 *
 * Consumers see some events twice then, which they are made for.
 *
 * @param options.checkTail look for a lost tail; needed after each connect, since a server only loses it by dying
 * @returns how many events will be published again
 */
export async function recoverStream(
  database: Database,
  manager: JetStreamManager,
  stream: string,
  options: { checkTail: boolean },
): Promise<number> {
  await database.query(sql`insert into outbox_stream (stream) values (${stream}) on conflict do nothing`)
  return database.transaction(async (tx) => {
    // One relay of the service looks at a time, and looks after it has the lock: what another relay has found, or
    // published meanwhile, must not look like a loss to this one.
    const [known] = await tx.query<{ created: string | null }>(
      sql`select created from outbox_stream where stream = ${stream} for update`,
    )
    const state = await ensureStream(manager, stream, { knownBefore: known !== undefined && known.created !== null })
    if (known?.created !== state.created) {
      await tx.query(sql`update outbox_stream set created = ${state.created} where stream = ${stream}`)
      return unpublishAfter(tx, 0)
    }
    if (!options.checkTail) return 0
    const intact = await lastIntactSequence(tx, manager, stream, state)
    return intact === undefined ? 0 : unpublishAfter(tx, intact)
  })
}

/** Place of the last of our events that is still there; undefined when the newest is. */
async function lastIntactSequence(
  tx: Transaction,
  manager: JetStreamManager,
  stream: string,
  state: StreamState,
): Promise<number | undefined> {
  // Looks back in steps that double: a tail of n lost events takes log n questions.
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

/** In portions, each of which stays far within the time limit of a statement, but in one transaction. */
async function unpublishAfter(tx: Transaction, sequence: number): Promise<number> {
  let total = 0
  for (;;) {
    const [row] = await tx.query<{ count: number }>(sql`
      with again as (
        update outbox set published_at = null, stream_sequence = null where event_id in (
          select event_id from outbox where stream_sequence > ${sequence} order by stream_sequence limit ${portion}
        ) returning 1
      )
      select count(*)::int as count from again`)
    const count = row?.count ?? 0
    total += count
    if (count < portion) return total
  }
}

const portion = 5000
