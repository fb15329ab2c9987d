import type { Cause } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import { queueForLockedServers, unqueueAttempts } from '../../attempts/steps/queue-commands.ts'
import type { AppContext } from '../../context.ts'
import type { Stage } from '../../domain/stage.ts'
import { selectPeriodsOf, updateItem } from '../db/item-repository.ts'
import type { Item, RevokeReason } from '../domain/item.ts'
import { loadFacts } from './load-facts.ts'
import { findHeirs, lockServersOfMoves, movedCommands } from './move-commands.ts'
import { preparePlans, queuePrepared } from './plan-commands.ts'
import { recordChange } from './record-change.ts'

/** Why items are taken from their owner. @property by see `actorText`; null for an event */
export type Removal = { reason: 'expiry' } | { reason: RevokeReason; by: string | null }

/**
 * Takes locked items of a store from their owners: unqueues what was not executed of their earlier stages, then queues the
 * commands of the removal. What earlier periods of a subscription have not executed is unqueued, too. Commands that run once per order
 * move to another item of the order.
 */
export async function removeItems(
  ctx: AppContext,
  tx: Transaction,
  items: readonly Item[],
  removal: Removal,
  now: Date,
  cause: Cause,
): Promise<void> {
  const [first] = items
  if (!first) return
  const { storeId } = first
  const heirs = await findHeirs(tx, storeId, items)
  const facts = await loadFacts(tx, storeId, [...items, ...heirs])
  const stage = stageOf(removal)
  // Before the queues, as everywhere.
  const prepared = await preparePlans(
    tx,
    facts,
    items.map((item) => ({ item, stage })),
    now,
  )
  const serverIds = await lockServersOfMoves(tx, facts, heirs)
  const itemIds = await selectPeriodsOf(
    tx,
    storeId,
    items.map(({ id }) => id),
  )
  const unqueued = await unqueueAttempts(tx, { storeId, itemIds }, now)
  for (const item of items) await removeItem(ctx, tx, item, removal, now, cause)
  await queueForLockedServers(tx, movedCommands(unqueued, { removed: items, heirs, serverIds }, facts, now))
  await queuePrepared(ctx, tx, facts, prepared, now, cause)
}

async function removeItem(
  ctx: AppContext,
  tx: Transaction,
  item: Item,
  removal: Removal,
  now: Date,
  cause: Cause,
): Promise<void> {
  const changes = { removedAt: item.removedAt ?? now, unplannedStages: [], planAt: null }
  if (removal.reason === 'expiry') {
    const used = await updateItem(tx, item, { ...changes, state: 'used' }, 2)
    await recordChange(ctx, tx, 'expired', used, cause)
    return
  }
  const revoked = await updateItem(tx, item, {
    ...changes,
    state: 'revoked',
    // A chargeback of a revoked item changes why it was revoked, but not when and by whom.
    revokedAt: item.revokedAt ?? now,
    revokeReason: removal.reason,
    revokedBy: item.revokedBy ?? removal.by,
  })
  await recordChange(ctx, tx, 'revoked', revoked, cause)
}

function stageOf({ reason }: Removal): Stage {
  switch (reason) {
    case 'refund':
      return 'on_refund'
    case 'chargeback':
      return 'on_chargeback'
    case 'expiry':
    case 'manual':
      return 'on_expire'
  }
}
