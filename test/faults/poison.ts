import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { replayDeadLetters } from '@storekeep/common/events'
import { onServer, type System } from '@storekeep/test/kit'
import { createRecorder } from './recorder/create-recorder.ts'
import type { Recorder } from './recorder/recorder.ts'

/** Makes a recorder fail on all events of these customers, like a bug in its handler. */
export async function rejectCustomers(
  { databaseUrl }: Recorder,
  changes: readonly { customerId: string }[],
): Promise<void> {
  const ids = [...new Set(changes.map(({ customerId }) => BigInt(customerId)))]
  await onServer(databaseUrl, (client) =>
    client.query(`alter table seen add constraint poison check (customer_id not in (${ids.join()})) not valid`),
  )
}

/** Publishes events that no consumer can decode. */
export async function injectMalformed(system: System): Promise<void> {
  await withNats(system, async (nats) => {
    for (const { attributes, payload } of malformed) {
      const given = headers()
      for (const [name, value] of Object.entries(attributes)) given.set(name, value)
      const subject = `${system.stream.toLowerCase()}.customers.customer.updated`
      await jetstream(nats).publish(subject, payload, { headers: given })
    }
  })
}

const attributes = {
  'ce-id': '6a0f8b0e-3f0c-4a51-9a53-5d3f3d8f2b11',
  'ce-type': 'storekeep.customers.v1.CustomerUpdated',
  'ce-subject': '1',
  'ce-aggregate': 'customer',
  'ce-aggregateversion': '1',
  'ce-time': '2026-01-01T00:00:00.000Z',
}

export const malformed = [
  { attributes, payload: Buffer.from('ffffffff', 'hex') },
  { attributes: {}, payload: Buffer.from('no attributes at all') },
]

/**
 * Negative control: creates the consumer again so that it delivers an event only when the one before it has been applied or has become
 * a dead letter. It starts with the next event. A retried event is delivered only once the pull that waits for room has expired, after
 * 5 s, so events that its killed process has not acknowledged would take minutes.
 */
export async function allowOnePending(system: System, consumer: string): Promise<void> {
  await withNats(system, async (nats) => {
    const { consumers } = await jetstreamManager(nats)
    const { config } = await consumers.info(system.stream, consumer)
    await consumers.delete(system.stream, consumer)
    await consumers.add(system.stream, { ...config, deliver_policy: DeliverPolicy.New, max_ack_pending: 1 })
  })
}

/** The dead letters of a recorder that have not been replayed. */
export async function deadLettersOf({ databaseUrl }: Recorder): Promise<{ error: string; failed_at: Date }[]> {
  return await onServer(databaseUrl, async (client) => {
    const letters = await client.query<{ error: string; failed_at: Date }>(
      'select error, failed_at from dead_letter where replayed_at is null',
    )
    return letters.rows
  })
}

/** Replays all dead letters of a recorder, as its process does for `npm run admin`. */
export async function replayAll({ settings }: Recorder): Promise<{ applied: number; failed: number }> {
  const { consumer, database, nats } = createRecorder(settings)
  try {
    return await replayDeadLetters(database, [consumer])
  } finally {
    await nats.close()
    await database.close()
  }
}

async function withNats(system: System, act: (nats: NatsConnection) => Promise<void>): Promise<void> {
  const nats = await connect({ servers: system.infra.natsUrl })
  try {
    await act(nats)
  } finally {
    await nats.close()
  }
}
