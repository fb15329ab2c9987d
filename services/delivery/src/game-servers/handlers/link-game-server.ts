import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, GameServersHandlers } from '../../context.ts'
import { findStore } from '../../copies/db/store-copy-repository.ts'
import { lockGameServer, updateGameServerLink } from '../db/game-server-repository.ts'
import { cleanLink, isOtherLink } from '../domain/game-server.ts'
import { publishGameServerLinked } from '../events/publish.ts'
import { linkedToProto, linkOf } from '../mappers.ts'

export function linkGameServer(ctx: AppContext): GameServersHandlers['linkGameServer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('game_server_id', request.gameServerId)
    const link = cleanLink(request)
    await ctx.tokenEpochs.requireCurrent({ storeId, gameServerId: id }, request.tokenEpoch)
    return write(ctx, call, request, async (tx) => {
      const row = await lockGameServer(tx, storeId, id)
      if (!row) throw errors.notFound('game server')
      const before = linkOf(row)
      const isNew = before === undefined || isOtherLink(before, link)
      const written = await updateGameServerLink(tx, row, link, { linkedAt: ctx.clock.now(), isNew })
      if (isNew) await publishGameServerLinked(tx, written, call)
      const store = await findStore(tx, storeId)
      return linkedToProto(row, written, store?.game ?? '')
    })
  }
}
