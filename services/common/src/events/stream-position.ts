import sql from 'sql-template-tag'
import type { Queryable } from '../postgres/index.ts'
import { claimSeconds } from './consumer-mode.ts'

/** Where an ordered consumer is in the stream. */
export interface StreamPosition {
  /** Creation time of the stream; null before the first read. */
  created: string | null
  /** Sequence of the last applied message; 0 if there is none. */
  sequence: number
  /** Id of its event; null if the message had none. */
  eventId: string | null
}

/** The process that reads. */
export interface Holder {
  consumer: string
  holder: string
}

/**
 * Makes the process the only reader, unless another one is. The hold expires unless renewed.
 * @returns undefined if another process is the reader
 */
export async function takePosition(db: Queryable, { consumer, holder }: Holder): Promise<StreamPosition | undefined> {
  await db.query(sql`insert into stream_position (consumer) values (${consumer}) on conflict do nothing`)
  const [row] = await db.query<{ created: string | null; sequence: string; eventId: string | null }>(sql`
    update stream_position set holder = ${holder}, held_until = now() + ${claimSeconds} * interval '1 second'
    where consumer = ${consumer} and (holder = ${holder} or held_until < now())
    returning stream_created as created, sequence, event_id as "eventId"`)
  return row && { ...row, sequence: Number(row.sequence) }
}

/** The stored position, regardless of which process reads. At most a third of `claimSeconds` old. */
export async function readPosition(
  db: Queryable,
  consumer: string,
): Promise<Pick<StreamPosition, 'created' | 'sequence'>> {
  const [row] = await db.query<{ created: string | null; sequence: string }>(
    sql`select stream_created as created, sequence from stream_position where consumer = ${consumer}`,
  )
  return { created: row?.created ?? null, sequence: Number(row?.sequence ?? 0) }
}

/**
 * Stores the position and renews the hold. In a transaction, the row stays locked, so no other process becomes the reader
 * before its end.
 * @returns false if the process is not the reader any more; nothing was stored
 */
export async function movePosition(
  db: Queryable,
  { consumer, holder }: Holder,
  { created, sequence, eventId }: StreamPosition,
): Promise<boolean> {
  const rows = await db.query(sql`
    update stream_position set stream_created = ${created}, sequence = ${sequence}, event_id = ${eventId},
      held_until = now() + ${claimSeconds} * interval '1 second'
    where consumer = ${consumer} and holder = ${holder} returning 1`)
  return rows.length > 0
}

/** Lets another process become the reader immediately. */
export async function releasePosition(db: Queryable, { consumer, holder }: Holder): Promise<void> {
  await db.query(sql`
    update stream_position set held_until = '-infinity' where consumer = ${consumer} and holder = ${holder}`)
}
