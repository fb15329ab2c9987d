import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { Transaction } from '@storekeep/common/postgres'
import { inTrace } from '@storekeep/common/telemetry'
import type { AppContext } from '../../context.ts'
import { findDueItems, lockDueItems, oldestDue } from '../db/item-repository.ts'
import {
  clearUnplanned,
  countWaiting,
  findUnplannedItems,
  lockUnplannedItems,
  planItemsOfNewServers,
} from '../db/plan-repository.ts'
import type { Item } from '../domain/item.ts'
import { planCommands } from '../steps/plan-commands.ts'
import { removeItems } from '../steps/remove-items.ts'

/** Lets items expire, and queues commands whose product version or game server was not known when their order arrived. */
export function itemSweeps(ctx: AppContext): PeriodicTask[] {
  return [
    sweep(ctx, 'expire-items', findDueItems, lockDueItems, (tx, _storeId, items, now, traceparent) =>
      removeItems(ctx, tx, items, { reason: 'expiry' }, now, { traceparent }),
    ),
    sweep(ctx, 'plan-items', findUnplannedItems, lockUnplannedItems, async (tx, storeId, items, now, traceparent) => {
      await clearUnplanned(
        tx,
        storeId,
        items.map(({ id }) => id),
      )
      const plans = items.flatMap((item) => item.unplannedStages.map((stage) => ({ item, stage })))
      await planCommands(ctx, tx, storeId, plans, now, { traceparent })
    }),
    watchServers(ctx),
    measureItems(ctx),
  ]
}

/**
 * Applies `act` to all due items, in one transaction per store. A transaction with several stores would hold the queues of a store while
 * it locks the customers of the next, and could end in a deadlock.
 */
function sweep(
  { log, sweepMs: everyMs, database, clock }: AppContext,
  name: string,
  find: typeof findDueItems,
  claim: typeof lockDueItems,
  act: (tx: Transaction, storeId: string, items: readonly Item[], now: Date, traceparent: string) => Promise<void>,
): PeriodicTask {
  const sweepStore = (storeId: string, ids: readonly string[], now: Date) =>
    inTrace(name.replace('-', ' '), (traceparent) =>
      database.transaction(async (tx) => {
        const items = await claim(tx, storeId, ids, now)
        if (items.length > 0) await act(tx, storeId, items, now, traceparent)
        return items.length
      }),
    )
  const sweepOnce = async () => {
    const now = clock.now()
    const due = await find(database, now, batch)
    let count = 0
    for (const [storeId, ofStore] of Map.groupBy(due, (item) => item.storeId)) {
      const ids = ofStore.map(({ id }) => id)
      count += await sweepStore(storeId, ids, now)
    }
    return count
  }
  return createPeriodicTask({
    name,
    everyMs,
    log,
    run: async (isStopping) => {
      while (!isStopping() && (await sweepOnce()) === batch);
    },
  })
}

/** Makes items due whose commands are for all servers, in stores that have a new server. */
function watchServers({ log, sweepMs: everyMs, database, clock }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'plan-items-of-new-servers',
    everyMs,
    log,
    run: async () => {
      const now = clock.now()
      await database.transaction((tx) => planItemsOfNewServers(tx, new Date(now.getTime() - newServerMs), now))
    },
  })
}

/** Exports how late items expire, and how much waits for a value, a version or a game server. */
function measureItems({ log, sweepMs, database, clock, metrics }: AppContext): PeriodicTask {
  const lag = metrics.gauge(
    'delivery_item_expiry_lag_seconds',
    'How long the item that is due to expire for longest has been due. 0 if none is.',
  )
  const blocked = metrics.gauge('delivery_commands_blocked', 'Commands that wait for the value of a placeholder.')
  const unplanned = metrics.gauge(
    'delivery_items_unplanned',
    'Items whose commands wait for the version of their product, or for a game server of their store.',
    undefined,
    ['waits_for'],
  )
  return createPeriodicTask({
    name: 'measure-items',
    everyMs: Math.max(sweepMs, 10_000),
    log,
    run: async () => {
      const [dueAt, waiting] = await Promise.all([oldestDue(database, clock.now()), countWaiting(database.scans())])
      lag.set(dueAt === null ? 0 : Math.max(0, clock.now().getTime() - dueAt.getTime()) / 1000)
      blocked.set(waiting.forValue)
      unplanned.set({ waits_for: 'product_version' }, waiting.forVersion)
      unplanned.set({ waits_for: 'game_server' }, waiting.forServer)
    },
  })
}

const batch = 100
/** Much longer than the interval, in case a sweep is slow. */
const newServerMs = 60_000
