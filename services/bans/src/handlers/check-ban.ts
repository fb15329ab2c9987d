import { requireStore } from '@storekeep/common/grpc'
import type { Queryable } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, BansHandlers } from '../context.ts'
import { findEnabledBan } from '../db/ban-check-repository.ts'
import { checkIdentities } from '../domain/identity-input.ts'
import { identityFromProto } from '../mappers.ts'

export function checkBan(ctx: AppContext): BansHandlers['checkBan'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const identities = checkIdentities(request.identities.map(identityFromProto))
    const check = async (db: Queryable) => {
      const banId = await findEnabledBan(db, storeId, identities, ctx.clock.now())
      return banId === undefined ? {} : { banId }
    }
    // The public endpoint is a POST, so an Idempotency-Key stores the response as for any other POST.
    return call.idempotency ? write(ctx, call, request, check) : check(ctx.database)
  }
}
