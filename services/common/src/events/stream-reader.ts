import { AckPolicy, DeliverPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { apiCodes, ensureStream, isApiError, type StreamState, streamPrefix } from '../nats/index.ts'
import type { Delivery } from './delivery.ts'
import { pull } from './pull.ts'
import type { StreamPosition } from './stream-position.ts'

/** Reads the stream in order from a position. */
export interface StreamReader {
  /** Where reading continues, replaced by the caller. */
  position: StreamPosition
  /**
   * Requests up to `count` messages, see `pull`.
   * @throws Error if a message was lost on the way; reading must start again from the last applied one
   */
  fetch(count: number): Promise<readonly Delivery[]>
  /** Ends the current fetch. */
  stopFetch(): void
}

/**
 * Creates the consumer on the server again, at the position. Messages are not acknowledged: each is sent once, in order.
 * If the stream is not the one of the position, or the server has lost its tail, reading starts at its beginning.
 */
export async function openStreamReader(
  connection: NatsConnection,
  { stream, name, filterSubject, inbox }: { stream: string; name: string; filterSubject: string; inbox: string },
  stored: StreamPosition,
  options: { knownBefore: boolean },
): Promise<StreamReader> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  const state = await ensureStream(manager, stream, options)
  const isIntact = await isPositionIntact(manager, stream, state, stored)
  const position = isIntact ? stored : { created: state.created, sequence: 0, eventId: null }
  await manager.consumers.delete(stream, name).catch((error: unknown) => {
    if (!isApiError(error, apiCodes.consumerNotFound)) throw error
  })
  await manager.consumers.add(stream, {
    durable_name: name,
    filter_subject: `${streamPrefix(stream)}.${filterSubject}`,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: position.sequence + 1,
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(inactiveMs),
  })
  let stopFetch = () => {}
  let delivered = 0

  return {
    position,
    async fetch(count) {
      const { messages, stop } = pull(connection, { stream, name, inbox, count })
      stopFetch = stop
      for (const { info } of await messages) {
        delivered += 1
        if (info.deliverySequence !== delivered) throw new Error('A message of the stream was lost.')
      }
      return messages
    },
    stopFetch: () => stopFetch(),
  }
}

/** The state of the stream, which a reader has opened before. */
export async function stateOf(connection: NatsConnection, stream: string): Promise<StreamState> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  return await ensureStream(manager, stream, { knownBefore: true })
}

/** The number of messages after a position, which counts from the beginning in a stream that was created again. */
export function countAfter(
  { created, firstSequence, lastSequence }: StreamState,
  position: Pick<StreamPosition, 'created' | 'sequence'>,
): number {
  const read = position.created === created ? position.sequence : 0
  return Math.max(0, lastSequence - Math.max(read, firstSequence - 1))
}

async function isPositionIntact(
  manager: JetStreamManager,
  stream: string,
  { created, firstSequence, lastSequence }: StreamState,
  position: StreamPosition,
): Promise<boolean> {
  if (position.created !== created || position.sequence > lastSequence) return false
  if (position.sequence < firstSequence) return true
  const message = await manager.streams.getMessage(stream, { seq: position.sequence })
  return (message?.header.get('ce-id') || null) === position.eventId
}

/** The server deletes a consumer without a reader. */
const inactiveMs = 3_600_000
