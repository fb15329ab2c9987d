import { onServer, type System, waitFor } from '@storekeep/test/kit'
import type { ChangeWorkload } from './change-workload.ts'
import type { Observers } from './event-observer.ts'

/**
 * Waits until every event of the workload's store was published and applied by the observer, and compares: which
 * acknowledged changes never arrived, and which events were applied more than once.
 */
export async function judgeDelivery(
  system: System,
  storeId: string,
  workload: ChangeWorkload,
  observers: Observers,
  observer: string,
): Promise<DeliveryVerdict> {
  const changes = await waitFor('every event to be published', () => publishedChanges(system, storeId), patient)
  const published = new Set(changes.map(keyOf))
  const applied = await waitFor(
    'every event to be applied',
    async () => {
      const applications = (await observers.applications(observer)).filter((one) => published.has(keyOf(one)))
      return applications.length >= changes.length && applications
    },
    patient,
  )
  const arrived = new Set(applied.map(({ mark }) => mark))
  return {
    missing: [...workload.acknowledged.keys()].filter((mark) => !arrived.has(mark)),
    repeated: applied.filter(({ times }) => times !== 1).map(keyOf),
    published: [...published].sort(),
    applied: applied.map(keyOf).sort(),
  }
}

export interface DeliveryVerdict {
  /** Marks of acknowledged changes that the observer never saw. */
  missing: string[]
  repeated: string[]
  /** "id version" of every change that the service recorded. */
  published: string[]
  /** "id version" of every change that the observer applied. */
  applied: string[]
}

/** The changes of a store that the customers service recorded; undefined until all are published. */
async function publishedChanges(system: System, storeId: string): Promise<Change[] | undefined> {
  return await onServer(system.address.adminUrl, async (client) => {
    const { rows } = await client.query<Change & { published: boolean }>(
      `select aggregate_id::text, aggregate_version::text as version, published_at is not null as published
       from customers.outbox where aggregate = 'customer' and store_id = $1`,
      [storeId],
    )
    return rows.every(({ published }) => published) ? rows : undefined
  })
}

function keyOf({ aggregate_id, version }: Change): string {
  return `${aggregate_id} ${version}`
}

interface Change {
  aggregate_id: string
  version: string
}

const patient = { timeoutMs: 120_000 }
