import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import type { Transaction } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, StoresHandlers } from '../../context.ts'
import { lockStore } from '../../stores/db/store-repository.ts'
import { countLiveApiKeys, insertApiKey } from '../db/api-key-repository.ts'
import { checkApiKey, maxLiveKeys } from '../domain/api-key.ts'
import { encodeApiKey, hashSecret, secretBytes } from '../domain/api-key-codec.ts'
import { publishApiKeyCreated } from '../events/publish.ts'
import { apiKeyInputFromProto, apiKeyToProto } from '../mappers.ts'

export function createApiKey(ctx: AppContext): StoresHandlers['createApiKey'] {
  return async (request, call) => {
    const storeId = requireFlakeId('store_id', request.storeId)
    // Validation runs inside the write, so a retry gets the stored response even if expires_at has passed since.
    const effect = async (tx: Transaction) => {
      const now = ctx.clock.now()
      const draft = checkApiKey(apiKeyInputFromProto(request), now)
      // The lock makes the count exact: concurrent calls for the same store wait here.
      if (!(await lockStore(tx, storeId))) throw errors.notFound('store')
      if ((await countLiveApiKeys(tx, storeId, now)) >= maxLiveKeys) throw tooManyKeys()
      const secret = ctx.randomBytes(secretBytes)
      const row = await insertApiKey(tx, { ...draft, storeId, hash: hashSecret(ctx.peppers, secret), createdAt: now })
      await publishApiKeyCreated(tx, row, call)
      return { apiKey: apiKeyToProto(row), key: encodeApiKey(row.id, secret) }
    }
    return write(ctx, call, request, effect, { secret: true })
  }
}

function tooManyKeys() {
  return errors.conflict(`The store already has ${maxLiveKeys} live API keys. Revoke one first.`)
}
