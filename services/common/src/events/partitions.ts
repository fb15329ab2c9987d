import type { Delivery } from './delivery.ts'
import { optional } from './envelope.ts'

/**
 * Queues messages for processing. Messages of one aggregate share a partition, which preserves their order; partitions are
 * processed concurrently. A partition handles all messages that are queued at the same time as one batch.
 *
 * @param options.maxBatch the largest batch
 * @param options.handle receives messages in order; it must not reject
 * @param options.onRoom called whenever messages have been handled
 */
export function createPartitions({ count, maxBatch, handle, onRoom }: PartitionOptions): Partitions {
  const partitions: Partition[] = Array.from({ length: count }, () => ({
    waiting: [],
    current: [],
    running: undefined,
  }))
  let inFlight = 0

  async function run(partition: Partition): Promise<void> {
    await new Promise(setImmediate)
    while (partition.waiting.length > 0) {
      partition.current = partition.waiting.splice(0, maxBatch)
      await handle(partition.current)
      inFlight -= partition.current.length
      partition.current = []
      onRoom()
    }
    partition.running = undefined
  }

  return {
    size: () => inFlight,
    inFlight: () => partitions.flatMap(({ current, waiting }) => [...current, ...waiting]),
    add(message) {
      const partition = partitions[count === 1 ? 0 : hashOf(message) % count]
      if (!partition) throw new Error('There is no such partition.')
      inFlight += 1
      partition.waiting.push(message)
      partition.running ??= run(partition)
    },
    async finish() {
      await Promise.all(partitions.map(({ running }) => running))
    },
  }
}

/** Hash of the message's aggregate id. */
function hashOf(message: Delivery): number {
  let hash = 0
  const aggregateId = optional(message, 'ce-subject') ?? ''
  for (let at = 0; at < aggregateId.length; at += 1) hash = (hash * 31 + aggregateId.charCodeAt(at)) | 0
  return Math.abs(hash)
}

interface PartitionOptions {
  /** Number of partitions. */
  count: number
  maxBatch: number
  handle(messages: readonly Delivery[]): Promise<void>
  onRoom(): void
}

export interface Partitions {
  /** The number of messages added and not handled yet. */
  size(): number
  /** These messages. */
  inFlight(): readonly Delivery[]
  add(message: Delivery): void
  /** Resolves when all messages have been handled. */
  finish(): Promise<void>
}

interface Partition {
  waiting: Delivery[]
  /** Those that are being handled. */
  current: Delivery[]
  running: Promise<void> | undefined
}
