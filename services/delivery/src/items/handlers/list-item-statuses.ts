import { errors, violation } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { planPage } from '@storekeep/common/page'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { checkItemFilter } from '../domain/item-filter.ts'
import { itemStatusToProto } from '../mappers.ts'
import { readItemPage } from '../steps/read-item-page.ts'

export function listItemStatuses(ctx: AppContext): DeliveryItemsHandlers['listItemStatuses'] {
  return async ({ page, activeOnly, orderId, customerId, subscriptionId }, call) => {
    const storeId = requireStore(call)
    const plan = planPage(page)
    if ((orderId ?? customerId ?? subscriptionId) === undefined) {
      throw errors.validationFailed([
        violation('customer_id', 'required', 'is required without order_id and subscription_id'),
      ])
    }
    const filter = checkItemFilter({ activeOnly, orderId, customerId, subscriptionId })
    const { rows, info } = await readItemPage(ctx, storeId, filter, plan, call)
    return { items: rows.map(({ item, attempts }) => itemStatusToProto(item, attempts)), page: info }
  }
}
