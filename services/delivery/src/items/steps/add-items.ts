import type { Cause } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { findLatestVersions, findProductVersions } from '../../copies/db/product-version-repository.ts'
import type { ProductVersion } from '../../copies/domain/product-version.ts'
import { insertItems, lockItemsOfSubscription, updateItem } from '../db/item-repository.ts'
import { lockSubscription } from '../db/subscription-repository.ts'
import { expiryOf, type SubscriptionState } from '../domain/expiry.ts'
import { type Item, initialState, type NewItem, productOf } from '../domain/item.ts'
import { itemsOfOrder, type PaidOrder } from '../domain/paid-order.ts'
import { successionOf } from '../domain/succession.ts'
import { type Plan, planCommands } from './plan-commands.ts'
import { recordChange } from './record-change.ts'

/**
 * Adds an item for each unit of an order that has none yet, and queues its commands. Every event of an order does this, so the
 * order in which they arrive does not matter.
 */
export async function addItemsOfOrder(
  ctx: AppContext,
  tx: Transaction,
  order: PaidOrder,
  now: Date,
  cause: Cause,
): Promise<void> {
  const { storeId, subscriptionId: id } = order
  const subscription = id === null ? undefined : await lockSubscription(tx, { storeId, id })
  const added = await insertItems(tx, await draftItems(ctx, tx, itemsOfOrder(order, now), subscription))
  if (added.length === 0) return
  const periods = id === null ? [] : await lockItemsOfSubscription(tx, storeId, id)
  const plans: Plan[] = []
  for (const item of added) {
    await recordChange(ctx, tx, 'added', item, cause)
    if (item.subscriptionId === null) plans.push({ item, stage: 'on_purchase' })
    else plans.push(...(await succeed(ctx, tx, item, periods, now, cause)))
  }
  await planCommands(ctx, tx, storeId, plans, now, cause)
}

/** Gives new items their ids, products and expiries. @param subscription that some of them belong to */
export async function draftItems(
  ctx: AppContext,
  tx: Transaction,
  items: readonly NewItem[],
  subscription: SubscriptionState | undefined,
): Promise<Item[]> {
  const [first] = items
  if (!first) return []
  const versionOf = await findVersions(tx, first.storeId, items)
  const drafts: Item[] = []
  for (const item of items) {
    const version = versionOf(item)
    const known = { ...initialState, ...item, ...(version && productOf(version)), productName: item.productName }
    const terms = item.inlineTerms ?? version?.terms
    const draft = { ...known, id: await ctx.ids.next(), unplannedStages: [] }
    drafts.push({ ...draft, ...expiryOf(draft, terms, draft.subscriptionId === null ? undefined : subscription) })
  }
  return drafts
}

/**
 * Finds the version that an item was bought with. Orders of sessions from before versions existed have none: they get the latest
 * version of their product.
 */
async function findVersions(
  tx: Transaction,
  storeId: string,
  items: readonly NewItem[],
): Promise<(item: NewItem) => ProductVersion | undefined> {
  const idsOf = (pick: (item: NewItem) => string | null) => [...new Set(items.flatMap((item) => pick(item) ?? []))]
  const [versions, latest] = await Promise.all([
    findProductVersions(
      tx,
      storeId,
      idsOf(({ productVersionId }) => productVersionId),
    ),
    findLatestVersions(
      tx,
      storeId,
      idsOf(({ productVersionId, productId }) => (productVersionId === null ? productId : null)),
    ),
  ])
  return ({ productVersionId, productId }) =>
    productVersionId === null ? latest.get(productId ?? '') : versions.get(productVersionId)
}

/** Places a new item among the periods of its subscription. @returns the commands to queue */
async function succeed(
  ctx: AppContext,
  tx: Transaction,
  item: Item,
  periods: Item[],
  now: Date,
  cause: Cause,
): Promise<Plan[]> {
  const { renewed, isRenewed, runs } = successionOf(item, periods)
  const replaced = isRenewed ? item : renewed
  if (replaced) {
    const written = await updateItem(tx, replaced, { state: 'renewed', removedAt: now })
    await recordChange(ctx, tx, 'renewed', written, cause)
  }
  return runs ? [{ ...runs, orderId: item.orderId }] : []
}
