import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import type { AppContext, StoresHandlers } from '../../context.ts'
import { storeExists } from '../../stores/db/store-repository.ts'
import { selectApiKeys } from '../db/api-key-repository.ts'
import { apiKeyToProto } from '../mappers.ts'

export function listApiKeys(ctx: AppContext): StoresHandlers['listApiKeys'] {
  return async (request) => {
    const storeId = requireFlakeId('store_id', request.storeId)
    const rows = await selectApiKeys(ctx.database, storeId)
    if (rows.length === 0 && !(await storeExists(ctx.database, storeId))) throw errors.notFound('store')
    return { apiKeys: rows.map(apiKeyToProto) }
  }
}
