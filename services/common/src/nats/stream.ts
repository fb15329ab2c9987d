import { setTimeout as wait } from 'node:timers/promises'
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'

/** The subjects of a stream start with its name in lower case: stream EVENTS has `events.>`. */
export function streamPrefix(stream: string): string {
  return stream.toLowerCase()
}

export interface StreamState {
  /** Creation time; differs after the stream is deleted and created again. */
  created: string
  /** Messages with a lower sequence have expired. */
  firstSequence: number
  /** Of the newest message. */
  lastSequence: number
}

/**
 * Creates the stream unless it exists; an existing stream is left unchanged. All options work with nats-server 2.9 and
 * later. Messages are kept for 14 days, as long as their outbox rows (decision 0002). A full stream rejects new messages,
 * which then stay in the outbox, instead of dropping old ones.
 *
 * @param options.knownBefore true if the caller has seen the stream before, so that a missing stream was deleted. Then
 * it is created after a pause: nats-server 2.9 confirms a deletion before it removes the files and would also remove
 * the files of a new stream of the same name, which from then on accepts messages it cannot deliver
 */
export async function ensureStream(
  manager: JetStreamManager,
  stream: string,
  options: { knownBefore: boolean },
): Promise<StreamState> {
  const existing = await findStream(manager, stream)
  if (existing) return existing
  if (options.knownBefore) {
    await wait(afterDeletionMs)
    const createdMeanwhile = await findStream(manager, stream)
    if (createdMeanwhile) return createdMeanwhile
  }
  try {
    return toState(await manager.streams.add(streamConfig(stream)))
  } catch (error) {
    // Another process has created it in the meantime.
    if (!isApiError(error, apiCodes.streamNameInUse)) throw error
    return toState(await manager.streams.info(stream))
  }
}

const afterDeletionMs = 2000

/** @returns undefined if the stream does not exist */
export async function findStream(manager: JetStreamManager, stream: string): Promise<StreamState | undefined> {
  try {
    return toState(await manager.streams.info(stream))
  } catch (error) {
    if (isApiError(error, apiCodes.streamNotFound)) return undefined
    throw error
  }
}

/** Error codes of the JetStream API. */
export const apiCodes = { consumerNotFound: 10014, streamNameInUse: 10058, streamNotFound: 10059 } as const

export function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code
}

const dayMs = 86_400_000

function streamConfig(stream: string) {
  return {
    name: stream,
    subjects: [`${streamPrefix(stream)}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_age: nanos(14 * dayMs),
    duplicate_window: nanos(10 * 60_000),
    deny_delete: true,
    deny_purge: true,
  }
}

function toState({ created, state }: StreamInfo): StreamState {
  return { created, firstSequence: state.first_seq, lastSequence: state.last_seq }
}
