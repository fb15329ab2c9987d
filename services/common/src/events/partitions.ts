import { setTimeout as pause } from 'node:timers/promises'
import type { JsMsg } from '@nats-io/jetstream'
import { optional } from './envelope.ts'

/**
 * Queues messages for processing. Messages of one aggregate share a partition, which preserves their order; partitions are
 * processed concurrently. A partition handles all messages that are queued at the same time as one batch.
 *
 * @param options.maxBatch the largest batch
 * @param options.gatherMs the time from the start of a batch until the next one, unless it is full: under load batches
 * are larger, and a single message is handled at once
 * @param options.handle receives messages in order; it must not reject
 * @param options.onRoom called whenever messages have been handled
 */
export function createPartitions({ count, maxBatch, gatherMs, handle, onRoom }: PartitionOptions): Partitions {
  const partitions: Partition[] = Array.from({ length: count }, () => ({
    waiting: [],
    running: undefined,
    nextStart: 0,
  }))
  const inFlight = new Set<JsMsg>()

  async function run(partition: Partition): Promise<void> {
    await new Promise(setImmediate)
    while (partition.waiting.length > 0) {
      const waitMs = partition.nextStart - performance.now()
      if (waitMs > 0 && partition.waiting.length < maxBatch) await pause(waitMs)
      partition.nextStart = performance.now() + gatherMs
      const messages = partition.waiting.splice(0, maxBatch)
      await handle(messages)
      for (const message of messages) inFlight.delete(message)
      onRoom()
    }
    partition.running = undefined
  }

  return {
    inFlight,
    add(message) {
      const partition = partitions[hashOf(message) % count]
      if (!partition) throw new Error('There is no such partition.')
      inFlight.add(message)
      partition.waiting.push(message)
      partition.running ??= run(partition)
    },
    async finish() {
      await Promise.all(partitions.map(({ running }) => running))
    },
  }
}

/** Hash of the message's aggregate id. */
function hashOf(message: JsMsg): number {
  let hash = 0
  const aggregateId = optional(message, 'ce-subject') ?? ''
  for (let at = 0; at < aggregateId.length; at += 1) hash = (hash * 31 + aggregateId.charCodeAt(at)) | 0
  return Math.abs(hash)
}

interface PartitionOptions {
  /** Number of partitions. */
  count: number
  maxBatch: number
  gatherMs: number
  handle(messages: readonly JsMsg[]): Promise<void>
  onRoom(): void
}

export interface Partitions {
  /** Messages added and not handled yet. */
  readonly inFlight: ReadonlySet<JsMsg>
  add(message: JsMsg): void
  /** Resolves when all messages have been handled. */
  finish(): Promise<void>
}

interface Partition {
  waiting: JsMsg[]
  running: Promise<void> | undefined
  /** The monotonic time at which the next batch may start. */
  nextStart: number
}
