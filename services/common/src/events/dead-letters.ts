import sql from 'sql-template-tag'
import type { Queryable } from '../postgres/index.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import type { Delivery } from './delivery.ts'
import { eventIds } from './envelope.ts'

/** Deletes up to `limit` dead letters replayed more than 35 days ago. @returns the number of deleted rows */
export async function pruneDeadLetters(database: Queryable, limit: number): Promise<number> {
  const deleted = await database.query(sql`
    delete from dead_letter where id in (
      select id from dead_letter where replayed_at < now() - interval '35 days'
      order by replayed_at limit ${limit} for update skip locked
    ) returning 1`)
  return deleted.length
}

/**
 * Stores a message on which a consumer gives up, unchanged and with the cause.
 * @returns false if that failed, so that the message must stay in the stream
 */
export async function moveToDeadLetters(
  { database, name, log }: Pick<ConsumerOptions, 'database' | 'name' | 'log'>,
  message: Delivery,
  cause: unknown,
): Promise<boolean> {
  const { subject, info } = message
  const fields = { err: cause, consumer: name, subject, attempt: info.deliveryCount, ...eventIds(message) }
  try {
    await storeDeadLetter(database, name, message, cause)
    log.error(fields, 'event moved to dead letters')
    return true
  } catch (failure) {
    log.error({ ...fields, err: failure }, 'dead letter write failed: event stays in the stream')
    return false
  }
}

async function storeDeadLetter(
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
      ${Buffer.from(message.data)}, ${deliveryCount}, ${describeFailure(error)}
    )
    on conflict (consumer, message_id) do update set
      deliveries = excluded.deliveries, error = excluded.error, failed_at = now(), replayed_at = null`)
}

export async function countDeadLetters(database: Queryable, consumer: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int as count from dead_letter where consumer = ${consumer} and replayed_at is null`)
  return row?.count ?? 0
}

function headersOf(message: Delivery): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const [name, values] of message.headers ?? []) {
    if (!name.startsWith('Nats-')) found[name] = values
  }
  return found
}

/** The text of an error for the table, without NUL characters, which Postgres cannot store in text. */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return text.replaceAll('\0', '').slice(0, 4000)
}
