import type { Cause } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import type { Item } from '../domain/item.ts'
import { type ItemChange, publishExpired, publishItem } from '../events/publish.ts'

/** Publishes and counts what has happened to an item. Its version has increased by one, or by two if it has expired. */
export async function recordChange(
  { itemChanges }: Pick<AppContext, 'itemChanges'>,
  tx: Transaction,
  change: Exclude<ItemChange, 'used'>,
  item: Item,
  cause: Cause,
): Promise<void> {
  if (change === 'expired') await publishExpired(tx, item, cause)
  else await publishItem(tx, change, item, cause)
  tx.afterCommit(() => itemChanges.inc({ change }))
}
