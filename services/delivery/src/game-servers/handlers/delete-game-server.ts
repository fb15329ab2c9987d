import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import { unqueueServer } from '../../attempts/db/attempt-repository.ts'
import { lockQueues } from '../../attempts/db/queue-repository.ts'
import type { AppContext, GameServersHandlers } from '../../context.ts'
import { deleteLockedGameServer, lockGameServer } from '../db/game-server-repository.ts'
import { publishGameServerDeleted } from '../events/publish.ts'

export function deleteGameServer(ctx: AppContext): GameServersHandlers['deleteGameServer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('game_server_id', request.gameServerId)
    const response = await write(ctx, call, request, async (tx) => {
      const row = await lockGameServer(tx, storeId, id)
      if (!row) throw errors.notFound('game server')
      await deleteLockedGameServer(tx, row)
      await lockQueues(tx, storeId, [id])
      await unqueueServer(tx, { storeId, gameServerId: id }, { now: ctx.clock.now(), limit: unqueuedWithServer })
      ctx.tokenEpochs.announce(tx, { storeId, gameServerId: id })
      await publishGameServerDeleted(tx, row, call)
      return {}
    })
    // Also after a repeated call, because the first one may have failed after its commit.
    await ctx.tokenEpochs.outdate({ storeId, gameServerId: id })
    return response
  }
}

/** A sweep unqueues the remaining commands of a server with more. */
const unqueuedWithServer = 1000
