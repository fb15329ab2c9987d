import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import type { AppContext, BansHandlers } from '../context.ts'
import { lockBan, updateBanState } from '../db/ban-repository.ts'
import { applyChange, checkChange } from '../domain/ban-change.ts'
import { publishBanUpdated } from '../events/publish.ts'
import { banInputFromProto, banToProto } from '../mappers.ts'

export function updateBan(ctx: AppContext): BansHandlers['updateBan'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('ban_id', request.banId)
    const change = checkChange(banInputFromProto(request.ban), request.updateMask?.paths ?? [])
    return write(ctx, call, request, async (tx) => {
      const row = await lockBan(tx, storeId, id)
      if (!row) throw errors.notFound('ban')
      const now = ctx.clock.now()
      const changed = applyChange(row, change)
      if (!changed) return { ban: banToProto(row, now) }
      const written = await updateBanState(tx, row, changed, { updatedBy: actorText(call.actor), updatedAt: now })
      await publishBanUpdated(tx, written, now, call)
      return { ban: banToProto(written, now) }
    })
  }
}
