import { cutPage, type Page, type PagePlan } from '@storekeep/common/page'
import { selectAttemptsOfItems } from '../../attempts/db/attempt-repository.ts'
import type { AttemptRow } from '../../attempts/db/schema.ts'
import type { AppContext } from '../../context.ts'
import { selectItems } from '../db/item-list-repository.ts'
import type { Item } from '../domain/item.ts'
import type { ItemFilter } from '../domain/item-filter.ts'

/** Reads one page of items with their attempts, oldest attempt first. */
export async function readItemPage(
  { database }: Pick<AppContext, 'database'>,
  storeId: string,
  filter: ItemFilter,
  plan: PagePlan,
  call: { signal: AbortSignal },
): Promise<Page<{ item: Item; attempts: readonly AttemptRow[] }>> {
  // One index serves a page of all items, of a customer, an order or a subscription; other filters may read many rows.
  const isIndexed = filter.gameServerId === undefined && !filter.activeOnly
  const db = isIndexed ? database : database.scans(call, { mayLag: true })
  const items = await selectItems(db, storeId, filter, plan)
  const attempts = await selectAttemptsOfItems(
    db,
    storeId,
    items.map(({ id }) => id),
  )
  const attemptsOf = Map.groupBy(attempts, ({ itemId }) => itemId)
  return cutPage(
    plan,
    items.map((item) => ({ item, attempts: attemptsOf.get(item.id) ?? [] })),
  )
}
