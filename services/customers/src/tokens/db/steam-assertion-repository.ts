import type { Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'

/** Marks an assertion as used, and deletes the expired assertions of the store. @returns false if it was used before */
export async function useAssertion(
  tx: Transaction,
  { storeId, nonce, expiresAt, now }: { storeId: string; nonce: string; expiresAt: Date; now: Date },
): Promise<boolean> {
  await tx.query(sql`delete from used_steam_assertion where store_id = ${storeId} and expires_at < ${now}`)
  const rows = await tx.query(sql`
    insert into used_steam_assertion (store_id, nonce, expires_at) values (${storeId}, ${nonce}, ${expiresAt})
    on conflict do nothing returning nonce`)
  return rows.length === 1
}
