import { errors } from '@storekeep/common/errors'
import type { AppContext } from '../context.ts'
import { findApiKey } from '../db/api-key-repository.ts'
import { isLive } from '../domain/api-key.ts'
import { hashSecret, isSameHash, readApiKey } from '../domain/api-key-text.ts'
import { timestamp } from '../mappers.ts'
import type { StoresHandlers } from './index.ts'

export function verifyApiKey(ctx: AppContext): StoresHandlers['verifyApiKey'] {
  return async ({ key }) => {
    const parts = readApiKey(key)
    if (!parts) throw errors.unauthorized()
    const row = await findApiKey(ctx.database, parts.id)
    const hash = hashSecret(ctx.pepper, parts.secret)
    const now = ctx.clock.now()
    // One answer for all of them: a guesser does not learn whether a key exists, existed or has expired.
    if (!row || !isSameHash(row.hash, hash) || !isLive(row, now)) throw errors.unauthorized()
    ctx.keyUsage.note(row, now)
    return { keyId: row.id, storeId: row.storeId, scopes: row.scopes, ...timestamp('expiresAt', row.expiresAt) }
  }
}
