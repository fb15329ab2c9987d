import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'
import { deleteEndedRedemptions } from '../db/redemption-repository.ts'

/**
 * Deletes released and expired redemptions after 35 days, so that abandoned checkouts do not grow the ledger forever.
 * An event of their checkout may arrive until then (records of consumed events are kept as long) and must find them.
 * Confirmed redemptions stay.
 */
export function pruneRedemptions(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'prune-redemptions',
    everyMs: 3_600_000,
    log: ctx.log,
    run: (isStopping) => pruneAll(ctx, isStopping),
  })
}

/** @param ctx.clock decides which redemptions are 35 days old */
export async function pruneAll(
  { database, clock }: Pick<AppContext, 'database' | 'clock'>,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionMs)
  while (!isStopping() && (await deleteEndedRedemptions(database, before, batch)) === batch);
}

const retentionMs = 35 * 24 * 3_600_000
const batch = 1000
