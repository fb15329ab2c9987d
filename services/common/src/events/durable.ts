import { AckPolicy, DeliverPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { apiCodes, ensureStream, isApiError, streamPrefix } from '../nats/index.ts'
import type { ConsumerOptions } from './consumer-options.ts'

/** The consumer on the server. Created on demand, with its stream, and cached until `forget`. */
export function createDurable({ stream, name, filterSubject }: DurableOptions): Durable {
  let opened: Promise<void> | undefined
  let knownBefore = false

  async function open(connection: NatsConnection): Promise<void> {
    const manager = await jetstreamManager(connection, { checkAPI: false })
    await ensureStream(manager, stream, { knownBefore })
    knownBefore = true
    await ensureConsumer(manager)
  }

  async function ensureConsumer(manager: JetStreamManager): Promise<void> {
    try {
      await manager.consumers.info(stream, name)
    } catch (error) {
      if (!isApiError(error, apiCodes.consumerNotFound)) throw error
      await manager.consumers.add(stream, {
        durable_name: name,
        filter_subject: `${streamPrefix(stream)}.${filterSubject}`,
        // After a loss of the consumer, all events are delivered again; applied ones are recognized and ignored.
        deliver_policy: DeliverPolicy.All,
        ack_policy: AckPolicy.Explicit,
        ack_wait: nanos(ackWaitMs),
        // The server would give up silently; instead, we store a dead letter.
        max_deliver: -1,
        // Includes events waiting for a retry. High, so that postponed events do not block others.
        max_ack_pending: 20_000,
      })
    }
  }

  return {
    open(connection) {
      opened ??= open(connection)
      return opened
    },
    forget() {
      opened = undefined
    },
    async lag(connection) {
      const manager = await jetstreamManager(connection, { checkAPI: false })
      const { num_pending, num_ack_pending } = await manager.consumers.info(stream, name)
      return num_pending + num_ack_pending
    },
  }
}

/**
 * The server redelivers a message after this time without an acknowledgement. Short, because an event whose delivery was
 * lost is delayed by it. Handlers may take longer: the consumer extends the deadline every third of this time.
 */
export const ackWaitMs = 10_000

type DurableOptions = Pick<ConsumerOptions, 'stream' | 'name' | 'filterSubject'>

interface Durable {
  open(connection: NatsConnection): Promise<void>
  forget(): void
  /** Number of events not applied yet, including those in progress. */
  lag(connection: NatsConnection): Promise<number>
}
