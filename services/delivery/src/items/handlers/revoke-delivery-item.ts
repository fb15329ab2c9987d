import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { lockItems } from '../db/item-repository.ts'
import { isOwned } from '../domain/item.ts'
import { removeItems } from '../steps/remove-items.ts'

/** An item that its customer does not own any more stays as it is. */
export function revokeDeliveryItem(ctx: AppContext): DeliveryItemsHandlers['revokeDeliveryItem'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const customerId = requireFlakeId('customer_id', request.customerId)
    const itemId = requireFlakeId('item_id', request.itemId)
    return write(ctx, call, request, async (tx) => {
      const [item] = await lockItems(tx, storeId, [itemId])
      if (item?.customerId !== customerId) throw errors.notFound('delivery item')
      const removal = { reason: 'manual', by: actorText(call.actor) } as const
      if (isOwned(item)) await removeItems(ctx, tx, [item], removal, ctx.clock.now(), call)
      return {}
    })
  }
}
