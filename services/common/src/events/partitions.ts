import type { JsMsg } from '@nats-io/jetstream'

/**
 * Where messages wait for their turn. Those of one aggregate share a lane, and so keep their order; the lanes go on side
 * by side. What has gathered in a lane while it was busy is handled in one go, up to 32 at a time, and so is what arrives at
 * the same moment.
 *
 * @param options.handle gets messages in their order; it must not reject
 * @param options.onRoom called when messages are done with
 */
export function createPartitions({ count, handle, onRoom }: LaneOptions): Partitions {
  const lanes: Lane[] = Array.from({ length: count }, () => ({ waiting: [], running: undefined }))
  const inFlight = new Set<JsMsg>()

  async function run(lane: Lane): Promise<void> {
    await new Promise(setImmediate)
    while (lane.waiting.length > 0) {
      const messages = lane.waiting.splice(0, maxTogether)
      await handle(messages)
      for (const message of messages) inFlight.delete(message)
      onRoom()
    }
    lane.running = undefined
  }

  return {
    inFlight,
    add(message) {
      const lane = lanes[hashOf(message) % count]
      if (!lane) throw new Error('There is no such lane.')
      inFlight.add(message)
      lane.waiting.push(message)
      lane.running ??= run(lane)
    },
    async finish() {
      await Promise.all(lanes.map(({ running }) => running))
    },
  }
}

const maxTogether = 32

/** Of the message's aggregate. */
function hashOf(message: JsMsg): number {
  let hash = 0
  for (const character of message.headers?.get('ce-subject') ?? '') {
    hash = (hash * 31 + (character.codePointAt(0) ?? 0)) | 0
  }
  return Math.abs(hash)
}

interface LaneOptions {
  /** How many there are. */
  count: number
  handle(messages: readonly JsMsg[]): Promise<void>
  onRoom(): void
}

export interface Partitions {
  /** All that are not done with. */
  readonly inFlight: ReadonlySet<JsMsg>
  add(message: JsMsg): void
  /** Resolves when no lane has anything left. */
  finish(): Promise<void>
}

interface Lane {
  waiting: JsMsg[]
  running: Promise<void> | undefined
}
