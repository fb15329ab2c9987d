import type { AppContext, StoresHandlers } from '../../context.ts'
import { createApiKey } from './create-api-key.ts'
import { listApiKeys } from './list-api-keys.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { verifyApiKey } from './verify-api-key.ts'

export function createApiKeyHandlers(ctx: AppContext) {
  return {
    verifyApiKey: verifyApiKey(ctx),
    createApiKey: createApiKey(ctx),
    listApiKeys: listApiKeys(ctx),
    revokeApiKey: revokeApiKey(ctx),
  } satisfies Partial<StoresHandlers>
}
