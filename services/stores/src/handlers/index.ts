import type { AppContext, StoresHandlers } from '../context.ts'
import { createApiKey } from './create-api-key.ts'
import { createStore } from './create-store.ts'
import { getStore } from './get-store.ts'
import { listApiKeys } from './list-api-keys.ts'
import { listStores } from './list-stores.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { updateStore } from './update-store.ts'
import { verifyApiKey } from './verify-api-key.ts'

export function createHandlers(ctx: AppContext): StoresHandlers {
  return {
    getStore: getStore(ctx),
    verifyApiKey: verifyApiKey(ctx),
    createStore: createStore(ctx),
    updateStore: updateStore(ctx),
    listStores: listStores(ctx),
    createApiKey: createApiKey(ctx),
    listApiKeys: listApiKeys(ctx),
    revokeApiKey: revokeApiKey(ctx),
  }
}
