import { streamPrefix } from '../nats/index.ts'
import type { Database } from '../postgres/index.ts'
import { envelopeHeaders } from './envelope.ts'
import {
  type Claim,
  type ClaimOptions,
  claimMs,
  claimUnpublished,
  markPublished,
  type OutboxRow,
  type Published,
} from './outbox.ts'
import { ackTimeoutMs, type Publisher } from './publisher.ts'
import { tracePublish } from './trace-events.ts'

export interface BatchOptions extends ClaimOptions {
  database: Database
  publisher: Publisher
}

export interface BatchOutcome extends Pick<Claim, 'isAll' | 'isCut'> {
  claimed: number
  sent: number
  /** Why the first failed event was not published; undefined if none failed. */
  failure: unknown
}

/**
 * Claims, publishes and marks one batch in one transaction, which stays open while the stream acknowledges: the locks on
 * outbox rows only block other relays, and unlike a lease they end with the connection if this process dies.
 *
 * A process that is suspended until its claim has ended must not publish when it resumes: others may have published later
 * events of the aggregates by then. So no publish starts too late to end before the claim does. JetStream drops a publish that
 * started in time but was delayed in transit as a duplicate, because others have published the event.
 *
 * @param publishMs time from the claim to the last start of a publish
 */
export async function publishBatch(
  { database, publisher, ...claim }: BatchOptions,
  publishMs = claimMs - ackTimeoutMs,
): Promise<BatchOutcome> {
  return database.transaction(async (tx) => {
    // Before the claim, because this process can be suspended before it receives the result.
    const deadline = performance.now() + publishMs
    const { chains, epoch, isAll, isCut } = await claimUnpublished(tx, claim)
    const acknowledged: Published[] = []
    const failures: unknown[] = []
    await Promise.all(
      chains.map(async (chain) => {
        try {
          for (const row of chain) {
            if (performance.now() > deadline) return
            acknowledged.push(await publish(publisher, streamPrefix(claim.stream), row))
          }
        } catch (error) {
          // Later rows of the aggregate wait for the next batch, which preserves their order.
          failures.push(error)
        }
      }),
    )
    markPublished(tx, { stream: claim.stream, epoch }, acknowledged)
    return { claimed: chains.flat().length, sent: acknowledged.length, isAll, isCut, failure: failures[0] }
  })
}

async function publish(publisher: Publisher, prefix: string, row: OutboxRow): Promise<Published> {
  const subject = `${prefix}.${row.service}.${row.aggregate}.${row.verb}`
  const sequence = await tracePublish(subject, row, (traceparent) =>
    publisher.publish(subject, row.payload, envelopeHeaders(row, traceparent)),
  )
  return { eventId: row.event_id, sequence }
}
