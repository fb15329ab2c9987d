import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { ApiKeyDraft } from '../domain/api-key.ts'
import { type ApiKeyRow, apiKeyColumns } from './schema.ts'

export async function insertApiKey(
  tx: Transaction,
  key: ApiKeyDraft & { storeId: string; hash: Buffer; createdAt: Date },
): Promise<ApiKeyRow> {
  const rows = await tx.query<ApiKeyRow>(sql`
    insert into api_key (store_id, name, hash, scopes, expires_at, created_at)
    values (${key.storeId}, ${key.name}, ${key.hash}, ${key.scopes}, ${key.expiresAt},
      ${key.createdAt})
    returning ${apiKeyColumns}`)
  return expectRow(rows)
}

export async function findApiKey(db: Queryable, id: string): Promise<ApiKeyRow | undefined> {
  const [row] = await db.query<ApiKeyRow>(sql`select ${apiKeyColumns} from api_key where id = ${id}`)
  return row
}

/** Oldest first. */
export async function selectApiKeys(db: Queryable, storeId: string): Promise<ApiKeyRow[]> {
  return await db.query<ApiKeyRow>(sql`select ${apiKeyColumns} from api_key where store_id = ${storeId} order by id`)
}

/** Exact while the store is locked. */
export async function countLiveApiKeys(tx: Transaction, storeId: string, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    select 1 from api_key
    where store_id = ${storeId} and revoked_at is null and (expires_at is null or expires_at > ${now})`)
  return rows.length
}

/** @returns undefined for an unknown or already revoked key */
export async function markApiKeyRevoked(tx: Transaction, id: string, now: Date): Promise<ApiKeyRow | undefined> {
  const [row] = await tx.query<ApiKeyRow>(sql`
    update api_key set revoked_at = ${now}, version = version + 1
    where id = ${id} and revoked_at is null
    returning ${apiKeyColumns}`)
  return row
}

/** Does nothing if another replica recorded a use after `before`. */
export async function recordApiKeyUse(db: Queryable, id: string, now: Date, before: Date): Promise<void> {
  await db.query(sql`
    update api_key set last_used_at = ${now}
    where id = ${id} and (last_used_at is null or last_used_at <= ${before})`)
}
