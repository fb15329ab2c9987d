import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { epochColumns } from '../../tokens/db/token-epoch-repository.ts'
import { type PortalSessionRow, portalSessionColumns } from './schema.ts'

export interface NewPortalSession extends Omit<PortalSessionRow, 'id' | 'version' | 'customerEpoch' | 'storeEpoch'> {
  tokenHash: Buffer
}

/** @returns undefined when the store has no such customer */
export async function insertPortalSession(
  tx: Transaction,
  session: NewPortalSession,
): Promise<PortalSessionRow | undefined> {
  const [row] = await tx.query<PortalSessionRow>(sql`
    insert into portal_session (store_id, customer_id, token_hash, flow, subscription_id, return_url, created_at,
      expires_at, customer_epoch, store_epoch)
    select customer.store_id, customer.id, ${session.tokenHash}::bytea, ${session.flow},
      ${session.subscriptionId}::bigint, ${session.returnUrl}, ${session.createdAt}::timestamptz,
      ${session.expiresAt}::timestamptz, ${epochColumns}
    from customer where store_id = ${session.storeId} and id = ${session.customerId}
    returning ${portalSessionColumns}`)
  return row
}

/** The session whose link has this token, of any store: the caller knows only the token. */
export async function findPortalSessionByToken(
  db: Queryable,
  tokenHash: Buffer,
): Promise<PortalSessionRow | undefined> {
  const [row] = await db.query<PortalSessionRow>(
    sql`select ${portalSessionColumns} from portal_session where token_hash = ${tokenHash}`,
  )
  return row
}

export async function findPortalSessionBySecret(
  db: Queryable,
  storeId: string,
  secretHash: Buffer,
): Promise<PortalSessionRow | undefined> {
  const [row] = await db.query<PortalSessionRow>(sql`
    select ${portalSessionColumns} from portal_session where store_id = ${storeId} and secret_hash = ${secretHash}`)
  return row
}

/** Uses up the token of the session. @returns false if it was used before */
export async function setPortalSecret(
  tx: Transaction,
  { storeId, id }: Pick<PortalSessionRow, 'storeId' | 'id'>,
  secretHash: Buffer,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update portal_session set secret_hash = ${secretHash}, version = version + 1
    where store_id = ${storeId} and id = ${id} and secret_hash is null
    returning id`)
  return rows.length === 1
}

export async function endPortalSession(
  tx: Transaction,
  { storeId, id }: Pick<PortalSessionRow, 'storeId' | 'id'>,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update portal_session set expires_at = ${now}, version = version + 1
    where store_id = ${storeId} and id = ${id} and expires_at > ${now}`)
}
