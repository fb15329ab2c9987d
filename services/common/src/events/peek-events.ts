import type { DescMessage } from '@bufbuild/protobuf'
import { jetstreamManager } from '@nats-io/jetstream'
import { errors } from '../errors/index.ts'
import { type Nats, streamPrefix } from '../nats/index.ts'
import { type EventEnvelope, optional, readEnvelope } from './envelope.ts'

/**
 * Reads events from the stream without a consumer, so that nothing remains on the server. Each event costs a request, a few of
 * which are sent concurrently; that suits only interactive tools.
 * @param after position of the last event that was read; undefined reads none and returns the current position
 * @param schemas the messages to return
 * @returns the events among the next few hundred, or fewer if they are large, without malformed ones, and the new position
 * @throws ServiceFault `service-unavailable` if NATS is unavailable
 */
export async function peekEvents(
  { nats, stream, schemas }: { nats: Nats; stream: string; schemas: readonly DescMessage[] },
  after: number | undefined,
): Promise<{ events: EventEnvelope[]; position: number }> {
  const connection = nats.connection()
  if (!connection) throw errors.unavailable(new Error('NATS is unavailable.'))
  const { streams } = await jetstreamManager(connection, { checkAPI: false })
  const unavailable = (error: unknown) => {
    throw errors.unavailable(error)
  }
  const { state } = await streams.info(stream).catch(unavailable)
  // A stream that was created again starts at 1.
  let position = Math.min(after ?? state.last_seq, state.last_seq)
  const events: EventEnvelope[] = []
  let bytes = 0
  for (let count = 0, part = firstPart; position < state.last_seq && count < maxCount; count += part) {
    part = Math.min(2 * part, maxPart)
    const size = Math.min(part, state.last_seq - position)
    const first = position + 1
    const queries = Array.from({ length: size }, (_, index) => ({
      seq: first + index,
      next_by_subj: `${streamPrefix(stream)}.>`,
    }))
    const found = await Promise.all(queries.map((query) => streams.getMessage(stream, query))).catch(unavailable)
    for (const stored of found) {
      if (!stored) return { events, position: state.last_seq }
      // Where messages are missing, several queries find the next one.
      if (stored.seq <= position) continue
      if (bytes > 0 && bytes + stored.data.length > maxBytes) return { events, position }
      bytes += stored.data.length
      position = stored.seq
      const message = { subject: stored.subject, headers: stored.header, data: stored.data }
      const schema = schemas.find(({ typeName }) => typeName === optional(message, 'ce-type'))
      if (schema) events.push(...readIfValid(message, schema))
    }
  }
  return { events, position }
}

/** A malformed event must not stop the reader at its position. The consumers of the services report it. */
function readIfValid(message: Parameters<typeof readEnvelope>[0], schema: DescMessage): EventEnvelope[] {
  try {
    return [readEnvelope(message, schema)]
  } catch {
    return []
  }
}

const maxCount = 500
/** The size of the largest event. Rendered as JSON, the result still fits into a response. */
const maxBytes = 1024 * 1024

/**
 * The number of events that are read concurrently, doubled before each part. Starts small because a few events can fill the result;
 * capped by the memory of a pod.
 */
const firstPart = 2
const maxPart = 16
