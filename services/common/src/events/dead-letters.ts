import { type JetStreamClient, jetstream } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import sql, { empty } from 'sql-template-tag'
import { errors } from '../errors/index.ts'
import type { Nats } from '../nats/index.ts'
import type { Database, Queryable } from '../postgres/index.ts'
import type { Delivery } from './delivery.ts'

/** Selects dead letters. Default: all that have not been replayed. */
export interface DeadLetterFilter {
  consumer?: string
  /** `id` in the table. Selects the dead letter even if it was replayed before. */
  id?: string
}

/**
 * Publishes dead-letter events again, after their cause has been fixed. They keep their event ids: consumers that applied
 * the event ignore it, and the consumer that gave up applies it now. An event that fails again becomes a dead letter again.
 *
 * @returns the number of replayed events
 * @throws ServiceFault `service-unavailable` if NATS or the database is unavailable; events already replayed stay so
 */
export async function replayDeadLetters(
  database: Database,
  nats: Nats,
  filter: DeadLetterFilter = {},
): Promise<number> {
  const connection = nats.connection()
  if (!connection) throw errors.unavailable(new Error('NATS is unavailable.'))
  const client = jetstream(connection)
  const letters = await database.query<DeadLetterRow>(sql`
    select id, subject, headers, payload, replays from dead_letter
    where ${filter.id === undefined ? sql`replayed_at is null` : sql`id = ${filter.id}`}
      ${filter.consumer === undefined ? empty : sql`and consumer = ${filter.consumer}`}
    order by id`)
  for (const letter of letters) await replay(database, client, letter)
  return letters.length
}

async function replay(database: Database, client: JetStreamClient, letter: DeadLetterRow): Promise<void> {
  const replayed = headers()
  for (const [name, values] of Object.entries(letter.headers)) for (const value of values) replayed.append(name, value)
  // A new message id, because JetStream would drop a duplicate.
  const msgID = `dead-letter-${letter.id}-${letter.replays + 1}`
  await database.transaction(async (tx) => {
    // Locks the row until the commit, so that a new failure of the consumer is recorded after this update.
    await tx.query(sql`
      update dead_letter set replayed_at = now(), replays = replays + 1 where id = ${letter.id}`)
    await client.publish(letter.subject, letter.payload, { msgID, headers: replayed }).catch((error: unknown) => {
      throw errors.unavailable(error)
    })
  })
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
  id: string
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
