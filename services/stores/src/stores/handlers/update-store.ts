import { isDeepStrictEqual } from 'node:util'
import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, StoresHandlers } from '../../context.ts'
import { findStore, lockStore, updateStore as update } from '../db/store-repository.ts'
import { checkStoreChange } from '../domain/store-change.ts'
import { publishStore } from '../events/publish.ts'
import { detailsFromProto, storeToProto } from '../mappers.ts'

export function updateStore(ctx: AppContext): StoresHandlers['updateStore'] {
  return async (request, call) => {
    const id = requireStore(call)
    const change = checkStoreChange(detailsFromProto(request.store), request.updateMask?.paths ?? [])
    return write(ctx, call, request, async (tx) => {
      await lockStore(tx, id)
      const before = await findStore(tx, id)
      if (!before) throw errors.notFound('store')
      const changed = { ...before, ...change }
      if (isDeepStrictEqual(before, changed)) return { store: storeToProto(before) }
      const after = await update(tx, changed, ctx.clock.now())
      await publishStore(tx, 'updated', after, call)
      return { store: storeToProto(after) }
    })
  }
}
