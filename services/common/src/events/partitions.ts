import type { Delivery } from './delivery.ts'
import { optional } from './envelope.ts'
import { createWakeSignal } from './wake-signal.ts'

/**
 * Queues messages for processing. Messages of one aggregate share a partition, which preserves their order; partitions are
 * processed concurrently. A partition handles all messages that are queued at the same time as one batch.
 *
 * @param options.handle receives messages in order; it must not reject
 */
export function createPartitions({ count, maxBatch, maxInFlight, handle }: PartitionOptions): Partitions {
  const partitions: Partition[] = Array.from({ length: count }, () => ({
    waiting: [],
    current: [],
    running: undefined,
  }))
  let inFlight = 0
  const handled = createWakeSignal()

  async function run(partition: Partition): Promise<void> {
    await new Promise(setImmediate)
    while (partition.waiting.length > 0) {
      partition.current = partition.waiting.splice(0, maxBatch)
      await handle(partition.current)
      inFlight -= partition.current.length
      partition.current = []
      handled.wake()
    }
    partition.running = undefined
  }

  return {
    async room() {
      while (inFlight >= maxInFlight) await handled.wait(1000)
      return maxInFlight - inFlight
    },
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
  /** The largest batch. */
  maxBatch: number
  /** The most messages to add before some have been handled. */
  maxInFlight: number
  handle(messages: readonly Delivery[]): Promise<void>
}

export interface Partitions {
  /** Waits for room for more messages. @returns for how many */
  room(): Promise<number>
  /** The messages that have been added and not been handled yet. */
  inFlight(): readonly Delivery[]
  add(message: Delivery): void
  /** Resolves when all messages have been handled. */
  finish(): Promise<void>
}

interface Partition {
  waiting: Delivery[]
  /** The messages that are being handled. */
  current: Delivery[]
  running: Promise<void> | undefined
}
