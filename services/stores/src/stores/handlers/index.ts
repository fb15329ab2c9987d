import type { AppContext, StoresHandlers } from '../../context.ts'
import { createStore } from './create-store.ts'
import { getStore } from './get-store.ts'
import { getStoreBySlug } from './get-store-by-slug.ts'
import { listStores } from './list-stores.ts'
import { updateStore } from './update-store.ts'

export function createStoreHandlers(ctx: AppContext) {
  return {
    getStore: getStore(ctx),
    getStoreBySlug: getStoreBySlug(ctx),
    createStore: createStore(ctx),
    updateStore: updateStore(ctx),
    listStores: listStores(ctx),
  } satisfies Partial<StoresHandlers>
}
