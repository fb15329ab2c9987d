import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, BansHandlers } from '../context.ts'
import { selectBans } from '../db/ban-list-repository.ts'
import { checkFilter } from '../domain/ban-filter.ts'
import { banToProto, filterFromProto } from '../mappers.ts'

export function listBans(ctx: AppContext): BansHandlers['listBans'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const filter = checkFilter(filterFromProto(request))
    // A part of a reason is looked for in one ban after the other, anything else is in an index.
    const db = filter.partOfReason === undefined ? ctx.database : ctx.database.scans
    const { rows, info } = cutPage(plan, await selectBans(db, storeId, filter, plan))
    const now = ctx.clock.now()
    return { bans: rows.map((row) => banToProto(row, now)), page: info }
  }
}
