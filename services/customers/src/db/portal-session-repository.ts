import type { Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { type PortalSessionRow, portalSessionColumns } from './schema.ts'

export interface NewPortalSession extends Omit<PortalSessionRow, 'id' | 'version'> {
  tokenHash: Buffer
}

/** @returns undefined when the store has no such customer */
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
    returning ${portalSessionColumns}`)
  return row
}

/** Ends the open sessions of a customer. */
export async function endPortalSessions(
  tx: Transaction,
  storeId: string,
  customerId: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update portal_session set expires_at = ${now}, version = version + 1
    where store_id = ${storeId} and customer_id = ${customerId} and expires_at > ${now}`)
}
