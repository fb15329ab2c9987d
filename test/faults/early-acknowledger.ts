import { setTimeout as pause } from 'node:timers/promises'
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { type System, waitFor } from '@storekeep/test/kit'

/**
 * A consumer that acknowledges events on arrival and applies them later, which the product must never do. Events that were
 * not applied when the process died are lost, because they are not delivered again.
 */
export async function startEarlyAcknowledger({ infra, stream }: System): Promise<EarlyAcknowledger> {
  const nats = await connect({ servers: infra.natsUrl })
  const name = 'early-acknowledger'
  const manager = await jetstreamManager(nats)
  await manager.consumers.add(stream, {
    durable_name: name,
    filter_subject: `${stream.toLowerCase()}.customers.customer.>`,
    deliver_policy: DeliverPolicy.New,
    ack_policy: AckPolicy.Explicit,
  })
  const consumer = await jetstream(nats).consumers.get(stream, name)
  const applied = new Set<string>()
  let life = new AbortController()
  let pending = 0

  async function run({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      const messages = await consumer.fetch({ max_messages: 20, expires: 1000 })
      for await (const message of messages) {
        message.ack()
        pending += 1
        void apply(message.headers?.get('ce-subject') ?? '', signal)
      }
    }
  }

  /** Written to memory that survives the crash, as a database would. */
  async function apply(id: string, signal: AbortSignal): Promise<void> {
    await pause(5)
    pending -= 1
    if (!signal.aborted) applied.add(id)
  }

  let running = run(life)
  return {
    applied,
    async dieAtTheWorstMoment() {
      await waitFor('events that are acknowledged but not applied', () => pending > 0, { everyMs: 1 })
      life.abort()
      await running
    },
    restart() {
      life = new AbortController()
      running = run(life)
    },
    async stop() {
      await waitFor('all events to be received', async () => {
        const { num_pending, num_ack_pending } = await consumer.info()
        return num_pending + num_ack_pending + pending === 0
      })
      life.abort()
      await running
      await nats.close()
    },
  }
}

export interface EarlyAcknowledger {
  /** The ids of the records whose events were applied. */
  readonly applied: ReadonlySet<string>
  dieAtTheWorstMoment(): Promise<void>
  restart(): void
  /** Crashes after it has received every event. */
  stop(): Promise<void>
}
