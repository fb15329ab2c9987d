import type { AppContext, StoresHandlers } from '../../context.ts'
import { selectStores } from '../db/store-repository.ts'
import { storeToProto } from '../mappers.ts'

export function listStores(ctx: AppContext): StoresHandlers['listStores'] {
  return async () => {
    const rows = await selectStores(ctx.database)
    return { stores: rows.map(storeToProto) }
  }
}
