import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { planPage } from '@storekeep/common/page'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { hasGameServer } from '../db/item-list-repository.ts'
import { checkItemFilter } from '../domain/item-filter.ts'
import { itemToProto } from '../mappers.ts'
import { readItemPage } from '../steps/read-item-page.ts'

export function listDeliveryItems(ctx: AppContext): DeliveryItemsHandlers['listDeliveryItems'] {
  return async ({ page, activeOnly, orderId, customerId, gameServerId }, call) => {
    const storeId = requireStore(call)
    const plan = planPage(page)
    const filter = checkItemFilter({ activeOnly, orderId, customerId, gameServerId })
    if (gameServerId !== undefined && !(await hasGameServer(ctx.database, storeId, gameServerId))) {
      throw errors.notFound('game server')
    }
    const { rows, info } = await readItemPage(ctx, storeId, filter, plan, call)
    return { items: rows.map(({ item, attempts }) => itemToProto(item, attempts)), page: info }
  }
}
