import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import { attemptToProto } from '../../attempts/mappers.ts'
import type { AppContext, DeliveryItemsHandlers } from '../../context.ts'
import { selectAttemptsOfCustomer } from '../db/item-list-repository.ts'

export function listCommandAttempts(ctx: AppContext): DeliveryItemsHandlers['listCommandAttempts'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const customerId = requireFlakeId('customer_id', request.customerId)
    const plan = planPage(request.page)
    const { rows, info } = cutPage(plan, await selectAttemptsOfCustomer(ctx.database, storeId, customerId, plan))
    return { attempts: rows.map(attemptToProto), page: info }
  }
}
