import { jetstream } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { waitFor } from '@storekeep/test/kit'

/**
 * Publishes events without an outbox: after the commit, directly to the stream, once. Negative control of the event test.
 */
export async function startUnsafePublisher(natsUrl: string, subjectPrefix: string): Promise<UnsafePublisher> {
  const nats = await connect({
    servers: natsUrl.split(','),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    timeout: 1_000,
  })
  const underWay = new Set<Promise<unknown>>()
  const subject = `${subjectPrefix}.unsafe.change.made`
  let asked = 0

  return {
    publish(mark) {
      asked += 1
      const sent = jetstream(nats, { timeout: 1_000 })
        .publish(subject, mark, { timeout: 1_000 })
        .catch(() => undefined)
      underWay.add(sent)
      void sent.finally(() => underWay.delete(sent))
    },
    async lost(stream) {
      await Promise.all(underWay)
      const arrived = await waitFor('the stream to be read', () => countMarks(nats, stream, subject))
      return asked - arrived
    },
    close: () => nats.close(),
  }
}

async function countMarks(nats: NatsConnection, stream: string, subject: string): Promise<number> {
  const consumer = await jetstream(nats).consumers.get(stream, { filter_subjects: subject })
  const { num_pending } = await consumer.info()
  return num_pending
}

export interface UnsafePublisher {
  publish(mark: string): void
  /** The number of marks that are missing from the stream. */
  lost(stream: string): Promise<number>
  close(): Promise<void>
}
