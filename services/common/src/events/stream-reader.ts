import { AckPolicy, DeliverPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { apiCodes, ensureStream, isApiError, type StreamState, streamPrefix } from '../nats/index.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import type { StreamPosition } from './stream-position.ts'

/**
 * Creates the consumer on the server again, at a position. Messages are not acknowledged: each is sent once, in order.
 * @returns where reading continues: at the stored position, or at the start if the stream is another one or the server has lost its
 * tail
 */
export async function openAt(
  connection: NatsConnection,
  { stream, name, filterSubject }: Pick<ConsumerOptions, 'stream' | 'name' | 'filterSubject'>,
  stored: StreamPosition,
  options: { knownBefore: boolean },
): Promise<StreamPosition> {
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
  return position
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
