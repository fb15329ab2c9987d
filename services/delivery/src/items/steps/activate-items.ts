import type { Cause } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { findProductVersions } from '../../copies/db/product-version-repository.ts'
import { updateItem } from '../db/item-repository.ts'
import { expiryOf } from '../domain/expiry.ts'
import type { Item } from '../domain/item.ts'
import { type StoreFacts, termsOf } from './load-facts.ts'
import { recordChange } from './record-change.ts'

/**
 * Activates locked items whose first command was executed. Their expiry counts from then. Items that are not usable stay as they are.
 * @param locked items of one store
 */
export async function activateItems(
  ctx: AppContext,
  tx: Transaction,
  locked: readonly Item[],
  now: Date,
  cause: Cause,
): Promise<void> {
  const items = locked.filter(({ state }) => state === 'usable')
  const [first] = items
  if (!first) return
  const versionIds = items.flatMap(({ productVersionId }) => productVersionId ?? [])
  const versions = await findProductVersions(tx, first.storeId, [...new Set(versionIds)])
  for (const item of items) await activateItem(ctx, tx, item, { versions }, now, cause)
}

/** Activates a locked, usable item. */
export async function activateItem(
  ctx: AppContext,
  tx: Transaction,
  item: Item,
  facts: Pick<StoreFacts, 'versions'>,
  activeAt: Date,
  cause: Cause,
): Promise<Item> {
  // The period of a subscription does not depend on the activation.
  const expiry = item.subscriptionId === null ? expiryOf({ ...item, activeAt }, termsOf(item, facts), undefined) : {}
  const active = await updateItem(tx, item, { state: 'active', activeAt, ...expiry })
  await recordChange(ctx, tx, 'activated', active, cause)
  return active
}
