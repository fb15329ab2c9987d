import { headers } from '@nats-io/transport-node'
import sql from 'sql-template-tag'
import { errors, violation } from '../errors/index.ts'
import type { Database } from '../postgres/index.ts'
import type { Consumer } from './consumer.ts'
import { describeFailure } from './dead-letters.ts'

/**
 * Applies the dead letters that have not been replayed again, after their cause has been fixed. The consumer that gave up on an
 * event applies it here, without NATS: only the owner of an event may publish it. An event that was applied in the meantime is
 * ignored, and an event that fails again stays a dead letter, with its new cause.
 *
 * @param consumers the consumers of this process; dead letters of others stay
 * @param options.consumer replays only the dead letters of this consumer
 * @param options.signal stops after the current event when aborted
 * @throws ServiceFault `validation-failed` if there is no such consumer, `service-unavailable` if the database is unavailable;
 * events already replayed stay so
 */
export async function replayDeadLetters(
  database: Pick<Database, 'query'>,
  consumers: readonly Pick<Consumer, 'name' | 'replay'>[],
  { consumer, signal }: { consumer?: string | undefined; signal?: AbortSignal } = {},
): Promise<Replayed> {
  const chosen = new Map(
    consumers.flatMap((one) => (consumer === undefined || one.name === consumer ? [[one.name, one] as const] : [])),
  )
  if (consumer !== undefined && chosen.size === 0) {
    throw errors.validationFailed([violation('consumer', 'reference', 'This service has no consumer of this name.')])
  }
  const replayed: Replayed = { applied: 0, failed: 0 }
  let last = '0'
  for (;;) {
    const page = await database.query<{ id: string }>(sql`
      select id from dead_letter
      where replayed_at is null and id > ${last} and consumer = any(${[...chosen.keys()]}::text[])
      order by id limit 100`)
    for (const { id } of page) {
      if (signal?.aborted) return replayed
      // One payload at a time, because each can have 1 MiB.
      const [letter] = await database.query<DeadLetterRow>(sql`
        select consumer, subject, headers, payload from dead_letter where id = ${id} and replayed_at is null`)
      const owner = letter && chosen.get(letter.consumer)
      if (owner) replayed[await replay(database, owner, { id, ...letter })] += 1
      last = id
    }
    if (page.length === 0) return replayed
  }
}

/** How many events were applied, and how many failed again. */
export interface Replayed {
  applied: number
  failed: number
}

async function replay(
  database: Pick<Database, 'query'>,
  consumer: Pick<Consumer, 'replay'>,
  { id, subject, headers: stored, payload: data }: DeadLetterRow & { id: string },
): Promise<keyof Replayed> {
  const given = headers()
  for (const [name, values] of Object.entries(stored)) for (const value of values) given.append(name, value)
  try {
    await consumer.replay({ subject, headers: given, data })
  } catch (error) {
    await database.query(sql`
      update dead_letter set replays = replays + 1, error = ${describeFailure(error)}, failed_at = now() where id = ${id}`)
    return 'failed'
  }
  // If this process ends before the update, the next replay finds that the event was applied.
  await database.query(sql`update dead_letter set replayed_at = now(), replays = replays + 1 where id = ${id}`)
  return 'applied'
}

interface DeadLetterRow {
  consumer: string
  subject: string
  headers: Record<string, string[]>
  payload: Buffer
}
