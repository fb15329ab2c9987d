import { errors, violation } from '@storekeep/common/errors'
import { idViolations, requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { selectOwnedProducts } from '../db/item-list-repository.ts'

export function listOwnedProducts(ctx: AppContext): DeliveryItemsHandlers['listOwnedProducts'] {
  return async ({ customerId, productIds }, call) => {
    const storeId = requireStore(call)
    const customer = requireFlakeId('customer_id', customerId)
    const violations = productIds.flatMap((id, index) => idViolations(`product_ids.${index}`, id))
    if (productIds.length > maxProducts) {
      violations.push(violation('product_ids', 'length', `must have at most ${maxProducts} items`))
    }
    if (violations.length > 0) throw errors.validationFailed(violations)
    return { productIds: await selectOwnedProducts(ctx.database, storeId, customer, productIds) }
  }
}

const maxProducts = 200
