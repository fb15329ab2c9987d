import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { apiCodes, ensureStream, isApiError, streamPrefix } from '../nats/index.ts'
import type { ConsumerOptions } from './consumer-options.ts'

/** The consumer as the server knows it: made when it is missing, stream included, and remembered until `forget`. */
export function createDurable({ stream, name, filterSubject }: DurableOptions): Durable {
  let opened: Promise<Consumer> | undefined
  let knownBefore = false

  async function open(connection: NatsConnection): Promise<Consumer> {
    const manager = await jetstreamManager(connection, { checkAPI: false })
    await ensureStream(manager, stream, { knownBefore })
    knownBefore = true
    await ensureConsumer(manager)
    return jetstream(connection).consumers.get(stream, name)
  }

  async function ensureConsumer(manager: JetStreamManager): Promise<void> {
    try {
      await manager.consumers.info(stream, name)
    } catch (error) {
      if (!isApiError(error, apiCodes.consumerNotFound)) throw error
      await manager.consumers.add(stream, {
        durable_name: name,
        filter_subject: `${streamPrefix(stream)}.${filterSubject}`,
        // All that the stream holds: after a loss of the consumer, what was applied is recognised and passed over.
        deliver_policy: DeliverPolicy.All,
        ack_policy: AckPolicy.Explicit,
        ack_wait: nanos(ackWaitMs),
        // The consumer itself gives up, with a dead letter; the server would do so silently.
        max_deliver: -1,
        // Those that wait for their next try count too: many, so that postponed events do not hold up the others.
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
 * After this long without a word from us the server delivers a message again. Short, because it is how long an event
 * is late whose delivery was lost with a connection or a process; handlers may take longer, since the consumer says
 * three times as often that it is still at work.
 */
export const ackWaitMs = 10_000

type DurableOptions = Pick<ConsumerOptions, 'stream' | 'name' | 'filterSubject'>

interface Durable {
  open(connection: NatsConnection): Promise<Consumer>
  forget(): void
  /** Events that are not applied yet, those under way included. */
  lag(connection: NatsConnection): Promise<number>
}
