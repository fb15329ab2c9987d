import { errors } from '@storekeep/common/errors'
import { present, timestampOrAbsent } from '@storekeep/common/message'
import type { apiKeyCheckOutcomes } from '@storekeep/proto/conventions/api-key'
import type { AppContext, StoresHandlers } from '../../context.ts'
import { findApiKey } from '../db/api-key-repository.ts'
import type { ApiKeyRow } from '../db/schema.ts'
import { keyState } from '../domain/api-key.ts'
import { decodeApiKey, matchesHash } from '../domain/api-key-codec.ts'

export function verifyApiKey(ctx: AppContext): StoresHandlers['verifyApiKey'] {
  return async ({ key }) => {
    const now = ctx.clock.now()
    const { row, outcome } = await check(ctx, key, now)
    ctx.keyChecks.inc({ outcome })
    // The same error for every outcome, so callers cannot probe which keys exist.
    if (!row || outcome !== 'accepted') throw errors.unauthorized()
    ctx.keyUsage.record(row, now)
    const { id: keyId, storeId, expiresAt } = row
    return present({ keyId, storeId, scopes: [...row.scopes], expiresAt: timestampOrAbsent(expiresAt) })
  }
}

async function check(ctx: AppContext, key: string, now: Date): Promise<Check> {
  const parts = decodeApiKey(key)
  if (!parts) return { outcome: 'malformed' }
  const row = await findApiKey(ctx.database, parts.id)
  const isKnown = matchesHash(ctx.peppers, parts.secret, row?.hash)
  if (!row || !isKnown) return { outcome: 'unknown' }
  const state = keyState(row, now)
  return { row, outcome: state === 'active' ? 'accepted' : state }
}

interface Check {
  row?: ApiKeyRow
  outcome: (typeof apiKeyCheckOutcomes)[number]
}
