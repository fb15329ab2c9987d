import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { services } from '@storekeep/local/services'
import { onServer, type System, waitFor } from '@storekeep/test/kit'

/** Waits until all events of the system are published and every consumer has applied them, so that their work is counted too. */
export async function whenSettled(system: System): Promise<void> {
  const patient = { timeoutMs: 120_000, everyMs: 100 }
  const nats = await connect({ servers: system.infra.natsUrl })
  try {
    const manager = await jetstreamManager(nats)
    for (const { name } of services) {
      await onServer(system.databaseUrlOf(name), (client) =>
        waitFor(`the events of ${name} to be published`, async () => await hasNoneWaiting(client), patient),
      )
    }
    await waitFor(
      'every consumer to have applied all events',
      async () => {
        for await (const { num_pending, num_ack_pending } of manager.consumers.list(system.stream)) {
          if (num_pending + num_ack_pending > 0) return false
        }
        return true
      },
      patient,
    )
  } finally {
    await nats.close()
  }
}

async function hasNoneWaiting(client: Parameters<Parameters<typeof onServer>[1]>[0]): Promise<boolean> {
  const { rowCount } = await client.query('select from outbox where published_at is null limit 1')
  return rowCount === 0
}
