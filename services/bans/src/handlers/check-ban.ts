import { requireStore } from '@storekeep/common/grpc'
import type { Queryable } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, BansHandlers } from '../context.ts'
import { findBanInForce } from '../db/ban-check-repository.ts'
import { checkIdentities } from '../domain/identity-list.ts'
import { identityFromProto } from '../mappers.ts'

export function checkBan(ctx: AppContext): BansHandlers['checkBan'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const identities = checkIdentities(request.identities.map(identityFromProto))
    const check = async (db: Queryable) => {
      const banId = await findBanInForce(db, storeId, identities, ctx.clock.now())
      return banId === undefined ? {} : { banId }
    }
    // A POST to its callers: with an Idempotency-Key its first answer is kept, as that of any other POST.
    return call.idempotency ? write(ctx, call, request, check) : check(ctx.database)
  }
}
