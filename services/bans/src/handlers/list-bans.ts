import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, BansHandlers } from '../context.ts'
import { listBanRows } from '../db/ban-list-repository.ts'
import { checkBanFilter } from '../domain/ban-filter.ts'
import { banToProto, filterFromProto } from '../mappers.ts'

export function listBans(ctx: AppContext): BansHandlers['listBans'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const filter = checkBanFilter(filterFromProto(request))
    // Only the reason filter reads bans one by one; the others use an index.
    const db = filter.reasonSubstring === undefined ? ctx.database : ctx.database.scans(call, { mayLag: true })
    const { rows, info } = cutPage(plan, await listBanRows(db, storeId, filter, plan))
    const now = ctx.clock.now()
    return { bans: rows.map((row) => banToProto(row, now)), page: info }
  }
}
