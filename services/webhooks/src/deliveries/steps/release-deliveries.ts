import type { Database } from '@storekeep/common/postgres'
import type { ClaimedDelivery } from '../db/claim-repository.ts'
import { lockQueues, releaseLeases } from '../db/result-repository.ts'
import { preferIndexes, wakeQueues } from '../db/schedule-repository.ts'

/** Ends the leases of claimed deliveries without an attempt, so that any sender can claim them again immediately. */
export async function releaseDeliveries(
  { database }: { database: Pick<Database, 'transaction'> },
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await preferIndexes(tx)
    await lockQueues(tx, deliveries)
    await releaseLeases(tx, deliveries)
    await wakeQueues(tx, deliveries)
  })
}
