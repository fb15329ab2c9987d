import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage, readInParts } from '@storekeep/common/page'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { selectSessions } from '../db/session-repository.ts'
import { checkSessionFilter } from '../domain/session-filter.ts'
import { filterFromProto, sessionToProto } from '../mappers.ts'

export function listCheckoutSessions(ctx: AppContext): CheckoutHandlers['listCheckoutSessions'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const filter = checkSessionFilter(filterFromProto(request))
    const now = ctx.clock.now()
    const select = (part: typeof plan) => selectSessions(ctx.database, storeId, filter, part, now)
    const { rows, info } = cutPage(plan, await readInParts(plan, select))
    return { sessions: rows.map((row) => sessionToProto(row, now)), page: info }
  }
}
