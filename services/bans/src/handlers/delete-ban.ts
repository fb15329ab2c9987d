import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, BansHandlers } from '../context.ts'
import { deleteLockedBan, lockBan } from '../db/ban-repository.ts'
import { publishBanDeleted } from '../events/publish.ts'

export function deleteBan(ctx: AppContext): BansHandlers['deleteBan'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('ban_id', request.banId)
    return write(ctx, call, request, async (tx) => {
      const row = await lockBan(tx, storeId, id)
      if (!row) throw errors.notFound('ban')
      await deleteLockedBan(tx, row)
      await publishBanDeleted(tx, row, ctx.clock.now(), call)
      return {}
    })
  }
}
