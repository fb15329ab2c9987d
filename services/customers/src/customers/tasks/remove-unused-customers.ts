import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import { inTrace } from '@storekeep/common/telemetry'
import type { AppContext } from '../../context.ts'
import { deleteUnusedCustomers } from '../db/claimed-customer-repository.ts'
import { publishCustomerDeleted } from '../events/publish.ts'

/**
 * Removes claimed customers that were never used for 30 days: anyone can create them by typing names. The next sign-in with
 * such a name creates a new customer (decision 0021).
 */
export function removeUnusedCustomers(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'remove-unused-customers',
    everyMs: 3_600_000,
    log: ctx.log,
    run: (isStopping) => removeAll(ctx, isStopping),
  })
}

/** @param ctx.clock decides who has not signed in for 30 days */
export async function removeAll(
  { database, clock }: Pick<AppContext, 'database' | 'clock'>,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionMs)
  while (!isStopping()) {
    const count = await database.transaction(async (tx) => {
      const rows = await deleteUnusedCustomers(tx, before, batch)
      for (const row of rows) {
        await inTrace('remove customer', (traceparent) => publishCustomerDeleted(tx, row, { traceparent }))
      }
      return rows.length
    })
    if (count < batch) return
  }
}

const retentionMs = 30 * 24 * 3_600_000
const batch = 100
