import { errors, violation } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { updateGameServer } from '../db/session-writer.ts'
import { gameServerViolation } from '../domain/game-server-choice.ts'
import { publishSession } from '../events/publish.ts'
import { sessionToProto } from '../mappers.ts'
import { lockOpenSession } from '../steps/end-session.ts'
import { requireSessionOfToken } from '../steps/find-session.ts'

export function selectGameServer(ctx: AppContext): CheckoutHandlers['selectGameServer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const { position } = request
    const gameServerId = requireFlakeId('game_server_id', request.gameServerId)
    const { id, lines } = await requireSessionOfToken(ctx, request.token, storeId)
    const gameServerIds = lines[position - 1]?.rules?.gameServerIds
    if (!gameServerIds) {
      throw errors.validationFailed([violation('position', 'reference', 'is not a line with a choice of game servers')])
    }
    const servers = await ctx.gameServers.list(call)
    const wrong = gameServerViolation(gameServerId, { gameServerIds, isRequired: true }, servers, 'game_server_id')
    if (wrong) throw errors.validationFailed([wrong])
    return write(ctx, call, request, async (tx) => {
      const now = ctx.clock.now()
      const row = await lockOpenSession(tx, storeId, id, now)
      // Lines are only ever removed, so the same number means the same positions.
      if (row.lines.length !== lines.length) throw errors.conflict('The lines of the checkout session have changed.')
      if (row.lines[position - 1]?.selectedGameserverId === gameServerId) return { session: sessionToProto(row, now) }
      const updated = await updateGameServer(tx, row, { position, gameServerId })
      await publishSession(tx, 'updated', updated, now, call)
      return { session: sessionToProto(updated, now) }
    })
  }
}
