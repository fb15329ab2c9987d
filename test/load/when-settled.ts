import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { type ServiceName, services } from '@storekeep/local/services'
import { onServer, type System, waitFor } from '@storekeep/test/kit'

/** Waits until all events of the system are published and every consumer has applied them, so that their work is counted too. */
export async function whenSettled(system: System): Promise<void> {
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
    const { state } = await manager.streams.info(system.stream)
    for (const { name } of services) await whenApplied(system, name, state.last_seq)
  } finally {
    await nats.close()
  }
}

/**
 * Waits until the ordered consumers of a service have applied the event with this sequence. The server does not know, since they
 * do not acknowledge. They store their position only every few seconds, and waiting for it would count the work of an idle
 * system, so it is read once; after that, the events that they have counted since tell it.
 */
async function whenApplied(system: System, name: ServiceName, sequence: number): Promise<void> {
  const settled = settledOf.get(system) ?? new Map<ServiceName, Settled>()
  settledOf.set(system, settled)
  const before = settled.get(name)
  const hasApplied =
    before === undefined
      ? () => onServer(system.databaseUrlOf(name), (client) => hasStored(client, sequence))
      : async () =>
          (await countApplied(system, name)) - before.applied >= (sequence - before.sequence) * before.consumers
  if (before?.consumers !== 0) await waitFor(`the ordered consumers of ${name} to be done`, hasApplied, patient)
  if (before) return
  const consumers = await onServer(system.databaseUrlOf(name), countOrdered)
  settled.set(name, { consumers, sequence, applied: consumers > 0 ? await countApplied(system, name) : 0 })
}

interface Settled {
  /** The number of ordered consumers. */
  consumers: number
  sequence: number
  applied: number
}

const settledOf = new WeakMap<System, Map<ServiceName, Settled>>()
const patient = { timeoutMs: 120_000, everyMs: 100 }

async function hasStored(client: Client, sequence: number): Promise<boolean> {
  const { rowCount } = await client.query('select from stream_position where sequence < $1', [sequence])
  return rowCount === 0
}

async function countOrdered(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from stream_position')
  return rows[0]?.count ?? 0
}

/** Counts the events of a service's consumers with any outcome. */
async function countApplied(system: System, name: ServiceName): Promise<number> {
  const text = await (await fetch(system[name].metricsUrl)).text()
  return [...text.matchAll(/^events_consumed_total\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
}

async function hasNoneWaiting(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('select from outbox where published_at is null limit 1')
  return rowCount === 0
}

type Client = Parameters<Parameters<typeof onServer>[1]>[0]
