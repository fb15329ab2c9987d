import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { listCustomers as readCustomers } from '../db/customer-list-repository.ts'
import { checkCustomerIds, checkSearch } from '../domain/customer-search.ts'
import { customerToProto } from '../mappers.ts'

export function listCustomers(ctx: AppContext): CustomersHandlers['listCustomers'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const filter = { storeId, ids: checkCustomerIds(request.customerIds), search: checkSearch(request.search) }
    // A search may read many rows, so it must not occupy the connections of point reads.
    const db = filter.search ? ctx.database.scans(call, { mayLag: true }) : ctx.database
    const { rows, info } = cutPage(plan, await readCustomers(db, filter, plan))
    return { customers: rows.map(customerToProto), page: info }
  }
}
