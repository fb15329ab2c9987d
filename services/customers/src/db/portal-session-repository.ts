import type { Transaction } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'
import type { PortalSessionRow } from './schema.ts'

export interface NewPortalSession extends Omit<PortalSessionRow, 'id' | 'version'> {
  tokenHash: Buffer
}

/** Undefined when the store has no such customer. */
export async function insertPortalSession(
  tx: Transaction,
  session: NewPortalSession,
): Promise<PortalSessionRow | undefined> {
  const [row] = await tx.query<PortalSessionRow>(sql`
    insert into portal_session (store_id, customer_id, token_hash, flow, subscription_id, return_url, created_at,
      expires_at)
    select store_id, id, ${session.tokenHash}::bytea, ${session.flow}, ${session.subscriptionId}::bigint,
      ${session.returnUrl}, ${session.createdAt}::timestamptz, ${session.expiresAt}::timestamptz
    from customer where store_id = ${session.storeId} and id = ${session.customerId}
    returning ${columns}`)
  return row
}

const columns = raw(`id, store_id as "storeId", customer_id as "customerId", flow, subscription_id as "subscriptionId",
  return_url as "returnUrl", version, created_at as "createdAt", expires_at as "expiresAt"`)
