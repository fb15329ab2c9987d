import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { ProductTerms } from '../../products/domain/product.ts'
import type { CheckoutLine, CheckoutSession } from '../domain/checkout-session.ts'
import { type SessionRow, type StoredSession, sessionColumns, toSessionRow } from './schema.ts'
import { findSession } from './session-repository.ts'

/** A session to insert. */
export interface NewSession extends Omit<CheckoutSession, 'status'> {
  tokenHash: Buffer
  createdBy: string
  createdAt: Date
}

/** A new id, which other services learn before the session is written. */
export async function newSessionId(db: Queryable): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql`select flake_id() as id`)
  if (!row) throw new Error('flake_id() returned no row')
  return row.id
}

export async function insertSession(tx: Transaction, session: NewSession): Promise<SessionRow> {
  const { storeId, id } = session
  await tx.query(sql`
    insert into checkout_session (id, store_id, customer_id, currency, coupon_id, coupon_version_id, affiliate_link_id,
      subtotal_amount, coupon_discount_amount, affiliate_discount_amount, total_amount, return_url, cancel_url,
      auto_redirect, metadata, customer_details, token_hash, expires_at, created_by, created_at)
    values (${id}, ${storeId}, ${session.customerId}, ${session.currency}, ${session.couponId},
      ${session.couponVersionId}, ${session.affiliateLinkId}, ${session.subtotalAmount},
      ${session.couponDiscountAmount}, ${session.affiliateDiscountAmount}, ${session.totalAmount},
      ${session.returnUrl}, ${session.cancelUrl}, ${session.autoRedirect}, ${JSON.stringify(session.metadata)},
      ${session.customerDetails && JSON.stringify(session.customerDetails)}, ${session.tokenHash}, ${session.expiresAt},
      ${session.createdBy}, ${session.createdAt})`)
  await tx.query(sql`
    insert into checkout_line (store_id, checkout_id, position, product_id, name, quantity, unit_price, options_amount,
      discount_amount, total_amount, subscription, trial, gift_to_customer_id, selected_gameserver_id,
      custom_variables, metadata, payout_splits, inline_product)
    select ${storeId}::bigint, ${id}::bigint, position, "productId", name, quantity, "unitPrice", "optionsAmount",
      "discountAmount", "totalAmount", subscription, trial, "giftToCustomerId", "selectedGameserverId",
      "customVariables", metadata, "payoutSplits", "inlineProduct"
    from jsonb_to_recordset(${JSON.stringify(session.lines.map(lineToJson))}::jsonb) as line (position smallint,
      "productId" bigint, name text, quantity integer, "unitPrice" bigint, "optionsAmount" bigint,
      "discountAmount" bigint, "totalAmount" bigint, subscription boolean, trial boolean, "giftToCustomerId" bigint,
      "selectedGameserverId" bigint, "customVariables" jsonb, metadata jsonb, "payoutSplits" jsonb,
      "inlineProduct" jsonb)`)
  const row = await findSession(tx, storeId, id)
  if (!row) throw new Error('an inserted session was not found')
  return row
}

/** Locks the session until the transaction ends. */
export async function lockSession(tx: Transaction, storeId: string, id: string): Promise<SessionRow | undefined> {
  await tx.query(sql`select 1 from checkout_session where store_id = ${storeId} and id = ${id} for no key update`)
  return await findSession(tx, storeId, id)
}

/** Ends a session that the transaction has locked, and increments its version. */
export async function endSession(
  tx: Transaction,
  { storeId, id }: Pick<SessionRow, 'storeId' | 'id'>,
  status: 'completed' | 'canceled',
  now: Date,
): Promise<SessionRow> {
  const [row] = await tx.query<StoredSession>(sql`
    update checkout_session set status = ${status}, version = version + 1,
      completed_at = case ${status} when 'completed' then ${now}::timestamptz end,
      canceled_at = case ${status} when 'canceled' then ${now}::timestamptz end
    where store_id = ${storeId} and id = ${id} returning ${sessionColumns}`)
  if (!row) throw new Error('a locked session has disappeared')
  return toSessionRow(row)
}

/** Expires open sessions, the oldest first, skipping locked ones. */
export async function expireSessions(tx: Transaction, now: Date, limit: number): Promise<SessionRow[]> {
  const rows = await tx.query<StoredSession>(sql`
    with over as materialized (
      select store_id, id from checkout_session where status = 'open' and expires_at <= ${now}
      order by expires_at limit ${limit} for no key update skip locked
    )
    update checkout_session set status = 'expired', version = version + 1
    where (store_id, id) in (select store_id, id from over)
    returning ${sessionColumns}`)
  return rows.map(toSessionRow)
}

/** For a JSON column: amounts and ids are strings. */
function lineToJson(line: CheckoutLine, index: number) {
  return {
    ...line,
    position: index + 1,
    unitPrice: line.unitPrice.toString(),
    optionsAmount: line.optionsAmount.toString(),
    discountAmount: line.discountAmount.toString(),
    totalAmount: line.totalAmount.toString(),
    inlineProduct: line.inlineProduct && termsToJson(line.inlineProduct),
  }
}

function termsToJson(terms: ProductTerms) {
  return { ...terms, price: terms.price.toString() }
}
