import { createLinkToken, hashLinkToken } from '@storekeep/common/crypto'
import { errors } from '@storekeep/common/errors'
import { cellOf, requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { insertPortalSession } from '../db/portal-session-repository.ts'
import { checkPortalSession } from '../domain/portal-session.ts'
import { publishPortalSessionCreated } from '../events/publish.ts'
import { portalSessionInputFromProto, portalSessionToProto } from '../mappers.ts'

export function createPortalSession(ctx: AppContext): CustomersHandlers['createPortalSession'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const customerId = requireFlakeId('customer_id', request.customerId)
    const { expiresInSeconds, ...draft } = checkPortalSession(portalSessionInputFromProto(request))
    const effect = async (tx: Transaction) => {
      const token = createLinkToken(ctx.randomBytes, cellOf(storeId))
      const createdAt = ctx.clock.now()
      const expiresAt = new Date(createdAt.getTime() + expiresInSeconds * 1000)
      const tokenHash = hashLinkToken(token)
      const row = await insertPortalSession(tx, { ...draft, storeId, customerId, tokenHash, createdAt, expiresAt })
      if (!row) throw errors.notFound('customer')
      await publishPortalSessionCreated(tx, row, call)
      return { portalSession: portalSessionToProto(row), token, url: `${ctx.portalBaseUrl}/?t=${token}` }
    }
    return write(ctx, call, request, effect, { secret: true })
  }
}
