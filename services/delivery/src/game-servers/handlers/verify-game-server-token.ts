import { errors } from '@storekeep/common/errors'
import type { AppContext, GameServersHandlers } from '../../context.ts'
import { findGameServerByToken } from '../db/game-server-repository.ts'
import { decodeToken, hashTokenSecret } from '../domain/game-server-token.ts'

export function verifyGameServerToken(ctx: AppContext): GameServersHandlers['verifyGameServerToken'] {
  return async ({ token }) => {
    const parts = decodeToken(token)
    const row = parts && (await findGameServerByToken(ctx.database, hashTokenSecret(parts.secret)))
    // The same error for malformed and unknown tokens, so callers cannot probe which servers exist.
    if (row === undefined || row.id !== parts?.id) throw errors.unauthorized()
    return { gameServerId: row.id, storeId: row.storeId, enabled: row.enabled, epoch: BigInt(row.tokenEpoch) }
  }
}
