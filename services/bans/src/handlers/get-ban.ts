import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, BansHandlers } from '../context.ts'
import { findBan } from '../db/ban-repository.ts'
import { banToProto } from '../mappers.ts'

export function getBan(ctx: AppContext): BansHandlers['getBan'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const row = await findBan(ctx.database, storeId, requireFlakeId('ban_id', request.banId))
    if (!row) throw errors.notFound('ban')
    return { ban: banToProto(row, ctx.clock.now()) }
  }
}
