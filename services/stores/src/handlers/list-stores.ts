import type { AppContext } from '../context.ts'
import { listStores as listStoreRows } from '../db/store-repository.ts'
import { storeToProto } from '../mappers.ts'
import type { StoresHandlers } from './index.ts'

export function listStores(ctx: AppContext): StoresHandlers['listStores'] {
  return async () => {
    const rows = await listStoreRows(ctx.database)
    return { stores: rows.map(storeToProto) }
  }
}
