import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { selectPaymentPage } from '../db/payment-repository.ts'
import { checkPaymentFilter } from '../domain/payment-filter.ts'
import { paymentFilterFromProto, paymentToProto } from '../mappers.ts'

export function listPayments(ctx: AppContext): PaymentHandlers['listPayments'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const filter = checkPaymentFilter(paymentFilterFromProto(request))
    // One index serves each filter in the order of the page; several together may read many rows.
    const isIndexed = Object.values(filter).filter((one) => one !== undefined).length <= 1
    const db = isIndexed ? ctx.database : ctx.database.scans(call, { mayLag: true })
    const { rows, info } = cutPage(plan, await selectPaymentPage(db, storeId, filter, plan))
    return { payments: rows.map(paymentToProto), page: info }
  }
}
