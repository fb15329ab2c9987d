import { type JetStreamClient, jetstream } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import sql, { empty } from 'sql-template-tag'
import { errors } from '../errors/index.ts'
import type { Nats } from '../nats/index.ts'
import type { Database, Queryable } from '../postgres/index.ts'
import type { Delivery } from './delivery.ts'

/**
 * Publishes the dead letters that have not been replayed again, after their cause has been fixed. They keep their event ids:
 * consumers that applied the event ignore it, and the consumer that gave up applies it now. An event that fails again
 * becomes a dead letter again.
 *
 * @param options.consumer replays only the dead letters of this consumer
 * @param options.signal stops after the current event when aborted
 * @returns the number of replayed events
 * @throws ServiceFault `service-unavailable` if NATS or the database is unavailable; events already replayed stay so
 */
export async function replayDeadLetters(
  database: Pick<Database, 'query' | 'transaction'>,
  nats: Nats,
  { consumer, signal }: { consumer?: string | undefined; signal?: AbortSignal } = {},
): Promise<number> {
  const connection = nats.connection()
  if (!connection) throw errors.unavailable(new Error('NATS is unavailable.'))
  const client = jetstream(connection)
  // A malformed event without an id becomes a new dead letter each time, so without a bound this could continue forever.
  const [newest] = await database.query<{ id: string }>(sql`select coalesce(max(id), 0) as id from dead_letter`)
  let count = 0
  let last = '0'
  for (;;) {
    const page = await database.query<{ id: string }>(sql`
      select id from dead_letter
      where replayed_at is null and id > ${last} and id <= ${newest?.id}
        ${consumer === undefined ? empty : sql`and consumer = ${consumer}`}
      order by id limit 100`)
    for (const { id } of page) {
      if (signal?.aborted) return count
      if (await replay(database, client, id)) count += 1
      last = id
    }
    if (page.length === 0) return count
  }
}

/** @returns false if a concurrent call has replayed it */
async function replay(database: Pick<Database, 'transaction'>, client: JetStreamClient, id: string): Promise<boolean> {
  return await database.transaction(async (tx) => {
    // Locks the row until the commit, so that a new failure of the consumer is recorded after this update. One payload at a
    // time, because each can have 1 MiB.
    const [letter] = await tx.query<DeadLetterRow>(sql`
      update dead_letter set replayed_at = now(), replays = replays + 1 where id = ${id} and replayed_at is null
      returning subject, headers, payload, replays`)
    if (!letter) return false
    const replayed = headers()
    for (const [name, values] of Object.entries(letter.headers))
      for (const value of values) replayed.append(name, value)
    // A new message id, because JetStream would drop a duplicate.
    const msgID = `dead-letter-${id}-${letter.replays}`
    await client.publish(letter.subject, letter.payload, { msgID, headers: replayed }).catch((error: unknown) => {
      throw errors.unavailable(error)
    })
    return true
  })
}

/** Deletes up to `limit` dead letters replayed more than 35 days ago. @returns the number of deleted rows */
export async function pruneDeadLetters(database: Queryable, limit: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    with pruned as (
      delete from dead_letter where id in (
        select id from dead_letter where replayed_at < now() - interval '35 days'
        order by replayed_at limit ${limit} for update skip locked
      ) returning 1
    )
    select count(*)::int as count from pruned`)
  return row?.count ?? 0
}

/** Stores a message unchanged, with the error because of which a consumer gave up on it. */
export async function storeDeadLetter(
  database: Queryable,
  consumer: string,
  message: Delivery,
  error: unknown,
): Promise<void> {
  const { stream, streamSequence, deliveryCount, timestampNanos } = message.info
  const messageId = message.headers?.get('ce-id') || `${stream} ${streamSequence} ${timestampNanos}`
  await database.query(sql`
    insert into dead_letter (consumer, message_id, subject, headers, payload, deliveries, error)
    values (
      ${consumer}, ${messageId}, ${message.subject}, ${JSON.stringify(headersOf(message))}::jsonb,
      ${Buffer.from(message.data)}, ${deliveryCount}, ${describe(error)}
    )
    on conflict (consumer, message_id) do update set
      deliveries = excluded.deliveries, error = excluded.error, failed_at = now(), replayed_at = null`)
}

export async function countDeadLetters(database: Queryable, consumer: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int as count from dead_letter where consumer = ${consumer} and replayed_at is null`)
  return row?.count ?? 0
}

interface DeadLetterRow {
  subject: string
  headers: Record<string, string[]>
  payload: Buffer
  replays: number
}

function headersOf(message: Delivery): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const [name, values] of message.headers ?? []) {
    if (!name.startsWith('Nats-')) found[name] = values
  }
  return found
}

/** Removes NUL characters, which Postgres cannot store in text. */
function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return text.replaceAll('\0', '').slice(0, 4000)
}
