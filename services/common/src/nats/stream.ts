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

/** Subjects of a stream start with its name in lower case: stream EVENTS holds `events.>`. */
export function streamPrefix(stream: string): string {
  return stream.toLowerCase()
}

export interface StreamState {
  /** Changes when the stream is deleted and made again. */
  created: string
  /** Messages before it have expired. */
  firstSequence: number
}

/**
 * Makes the stream unless it exists; one that an operator made or changed stays as it is. Every option is known to
 * nats-server 2.9 and newer. Messages stay for 14 days, as long as their outbox rows: the stream is transport, and
 * Postgres the truth. A full stream refuses messages, which then wait in the outbox, rather than dropping old ones.
 *
 * @param options.knownBefore the caller has seen the stream, so that a missing one was deleted. It is made anew only
 * after a pause: nats-server 2.9 answers a deletion before it has removed the files, and would go on to remove those
 * of a new stream of the same name, which from then on takes messages and cannot deliver them
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
    const madeMeanwhile = await findStream(manager, stream)
    if (madeMeanwhile) return madeMeanwhile
  }
  try {
    return toState(await manager.streams.add(streamConfig(stream)))
  } catch (error) {
    // Somebody else made it in the meantime.
    if (!isApiError(error, apiCodes.streamNameInUse)) throw error
    return toState(await manager.streams.info(stream))
  }
}

const afterDeletionMs = 2000

async function findStream(manager: JetStreamManager, stream: string): Promise<StreamState | undefined> {
  try {
    return toState(await manager.streams.info(stream))
  } catch (error) {
    if (isApiError(error, apiCodes.streamNotFound)) return undefined
    throw error
  }
}

/** The codes of the JetStream API that we tell apart. */
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
  return { created, firstSequence: state.first_seq }
}
