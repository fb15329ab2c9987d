import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import type { AppContext, BansHandlers } from '../context.ts'
import { insertBan } from '../db/ban-repository.ts'
import { checkNewBan } from '../domain/ban-draft.ts'
import { publishBanCreated } from '../events/publish.ts'
import { banInputFromProto, banToProto } from '../mappers.ts'

export function createBan(ctx: AppContext): BansHandlers['createBan'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const now = ctx.clock.now()
    const draft = checkNewBan(banInputFromProto(request.ban), now)
    return write(ctx, call, request, async (tx) => {
      const id = await ctx.ids.next()
      const row = insertBan(tx, { ...draft, id, storeId, createdBy: actorText(call.actor), createdAt: now })
      await publishBanCreated(tx, row, now, call)
      return { ban: banToProto(row, now) }
    })
  }
}
