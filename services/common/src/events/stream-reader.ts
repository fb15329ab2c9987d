import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { apiCodes, ensureStream, isApiError, type StreamState, streamPrefix } from '../nats/index.ts'
import type { StreamPosition } from './stream-position.ts'

/** Reads the stream in order from a position. */
export interface StreamReader {
  /** Where reading continues, replaced by the caller. */
  position: StreamPosition
  /**
   * Requests messages and yields them as they arrive, for a few seconds.
   * @throws Error if a message was lost on the way; reading must start again from the last applied one
   */
  fetch(count: number): AsyncGenerator<JsMsg>
  /** Ends the current fetch. */
  stopFetch(): void
}

/**
 * Creates the consumer on the server again, at the position. Messages are not acknowledged: each is sent once, in order.
 * If the stream is not the one of the position, or the server has lost its tail, reading starts at its beginning.
 */
export async function openStreamReader(
  connection: NatsConnection,
  { stream, name, filterSubject }: { stream: string; name: string; filterSubject: string },
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
  const consumer = await jetstream(connection).consumers.get(stream, name)
  let stopFetch = () => {}
  let delivered = 0

  return {
    position,
    async *fetch(count) {
      const messages = await consumer.fetch({ max_messages: count, expires: fetchMs })
      stopFetch = () => messages.stop()
      // A server that restarts loses the request and never responds to it.
      const overdue = setTimeout(stopFetch, fetchMs + 2000)
      try {
        for await (const message of messages) {
          delivered += 1
          if (message.info.deliverySequence !== delivered) throw new Error('A message of the stream was lost.')
          yield message
        }
      } finally {
        clearTimeout(overdue)
      }
    },
    stopFetch: () => stopFetch(),
  }
}

/** Sequence of the newest message. */
export async function lastSequenceOf(connection: NatsConnection, stream: string): Promise<number> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  return (await ensureStream(manager, stream, { knownBefore: true })).lastSequence
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

const fetchMs = 5000
/** The server deletes a consumer without a reader. */
const inactiveMs = 3_600_000
