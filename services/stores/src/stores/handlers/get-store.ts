import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, StoresHandlers } from '../../context.ts'
import { findStore } from '../db/store-repository.ts'
import { storeToProto } from '../mappers.ts'

export function getStore(ctx: AppContext): StoresHandlers['getStore'] {
  return async (_request, call) => {
    const row = await findStore(ctx.database, requireStore(call))
    if (!row) throw errors.notFound('store')
    return { store: storeToProto(row) }
  }
}
