import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../context.ts'
import { findStore } from '../db/store-repository.ts'
import { storeToProto } from '../mappers.ts'
import type { StoresHandlers } from './index.ts'

export function getStore(ctx: AppContext): StoresHandlers['getStore'] {
  return async (_request, call) => {
    const row = await findStore(ctx.database, requireStore(call))
    if (!row) throw errors.notFound('store')
    return { store: storeToProto(row) }
  }
}
