import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import { selectAttemptsOfItems } from '../../attempts/db/attempt-repository.ts'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { hasGameServer, selectItems } from '../db/item-list-repository.ts'
import { checkItemFilter } from '../domain/item-filter.ts'
import { itemToProto } from '../mappers.ts'

export function listDeliveryItems(ctx: AppContext): DeliveryItemsHandlers['listDeliveryItems'] {
  return async ({ page, activeOnly, orderId, customerId, gameServerId }, call) => {
    const storeId = requireStore(call)
    const plan = planPage(page)
    const filter = checkItemFilter({ activeOnly, orderId, customerId, gameServerId })
    if (gameServerId !== undefined && !(await hasGameServer(ctx.database, storeId, gameServerId))) {
      throw errors.notFound('game server')
    }
    // One index serves a page of all items, of a customer or of an order; other filters may read many rows.
    const isIndexed = gameServerId === undefined && !activeOnly
    const db = isIndexed ? ctx.database : ctx.database.scans(call, { mayLag: true })
    const read = await selectItems(db, storeId, filter, plan)
    const attempts = await selectAttemptsOfItems(
      db,
      storeId,
      read.map(({ id }) => id),
    )
    const attemptsOf = Map.groupBy(attempts, ({ itemId }) => itemId)
    const whole = read.map((item) => ({ item, attempts: attemptsOf.get(item.id) ?? [] }))
    const { rows, info } = cutPage(plan, whole)
    const items = rows.map((row) => itemToProto(row.item, row.attempts))
    return { items, page: info }
  }
}
