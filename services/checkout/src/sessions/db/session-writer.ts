import type { Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { CheckoutSession } from '../domain/checkout-session.ts'
import { type SessionRow, type StoredSession, sessionColumns, toSessionRow } from './schema.ts'
import { findSession } from './session-repository.ts'

/** A session to insert. */
export interface NewSession extends Omit<CheckoutSession, 'status'> {
  tokenHash: Buffer
  createdBy: string
  createdAt: Date
}

/** Inserts the session with the commit. @returns the row */
export function insertSession(tx: Transaction, { tokenHash, ...session }: NewSession): SessionRow {
  const { storeId, id } = session
  tx.insert('checkout_session', {
    id,
    store_id: storeId,
    customer_id: session.customerId,
    currency: session.currency,
    coupon_id: session.couponId,
    coupon_version_id: session.couponVersionId,
    coupon_code: session.couponCode,
    affiliate_link_id: session.affiliateLinkId,
    subscription: session.subscription,
    subtotal_amount: session.subtotalAmount,
    coupon_discount_amount: session.couponDiscountAmount,
    affiliate_discount_amount: session.affiliateDiscountAmount,
    total_amount: session.totalAmount,
    return_url: session.returnUrl,
    cancel_url: session.cancelUrl,
    auto_redirect: session.autoRedirect,
    metadata: session.metadata,
    customer_details: session.customerDetails,
    token_hash: tokenHash,
    expires_at: session.expiresAt,
    created_by: session.createdBy,
    created_at: session.createdAt,
  })
  session.lines.forEach((line, index) => {
    tx.insert('checkout_line', {
      store_id: storeId,
      checkout_id: id,
      position: index + 1,
      product_id: line.productId,
      name: line.name,
      quantity: line.quantity,
      unit_price: line.unitPrice,
      options_amount: line.optionsAmount,
      discount_amount: line.discountAmount,
      total_amount: line.totalAmount,
      subscription: line.subscription,
      trial: line.trial,
      gift_to_customer_id: line.giftToCustomerId,
      selected_gameserver_id: line.selectedGameserverId,
      custom_variables: line.customVariables,
      answered_variables: line.answeredVariables,
      metadata: line.metadata,
      payout_splits: line.payoutSplits,
      // In a JSON column, amounts are strings.
      inline_product: line.inlineProduct && { ...line.inlineProduct, price: line.inlineProduct.price.toString() },
    })
  })
  const none = { completedAt: null, canceledAt: null, paymentId: null, redemptionId: null }
  return { ...session, ...none, status: 'open', version: '1' }
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
  paymentId: string | null = null,
): Promise<SessionRow> {
  const [row] = await tx.query<StoredSession>(sql`
    update checkout_session set status = ${status}, version = version + 1,
      completed_at = case ${status} when 'completed' then ${now}::timestamptz end,
      canceled_at = case ${status} when 'canceled' then ${now}::timestamptz end,
      payment_id = ${paymentId}
    where store_id = ${storeId} and id = ${id} returning ${sessionColumns}`)
  if (!row) throw new Error('a locked session has disappeared')
  return toSessionRow(row)
}

/** Changes an open session that the transaction has locked, and increments its version. */
export async function updateSession(
  tx: Transaction,
  { storeId, id }: Pick<SessionRow, 'storeId' | 'id'>,
  { customerDetails, expiresAt }: Pick<SessionRow, 'customerDetails' | 'expiresAt'>,
): Promise<SessionRow> {
  const [row] = await tx.query<StoredSession>(sql`
    update checkout_session set customer_details = ${customerDetails && JSON.stringify(customerDetails)},
      expires_at = ${expiresAt}, version = version + 1
    where store_id = ${storeId} and id = ${id} returning ${sessionColumns}`)
  if (!row) throw new Error('a locked session has disappeared')
  return toSessionRow(row)
}

/** Writes the discounts of an open session that the transaction has locked, and increments its version. */
export async function updateDiscounts(tx: Transaction, session: SessionRow): Promise<SessionRow> {
  const { storeId, id } = session
  const positions = session.lines.map((_, index) => index + 1)
  const discounts = session.lines.map(({ discountAmount }) => discountAmount)
  await tx.query(sql`
    update checkout_line set discount_amount = discount, total_amount = unit_price * quantity - discount
    from unnest(${positions}::smallint[], ${discounts}::bigint[]) as given (given_position, discount)
    where store_id = ${storeId} and checkout_id = ${id} and position = given_position`)
  const [row] = await tx.query<StoredSession>(sql`
    update checkout_session set coupon_id = ${session.couponId}, coupon_version_id = ${session.couponVersionId},
      coupon_code = ${session.couponCode},
      affiliate_link_id = ${session.affiliateLinkId}, coupon_discount_amount = ${session.couponDiscountAmount},
      affiliate_discount_amount = ${session.affiliateDiscountAmount}, total_amount = ${session.totalAmount},
      redemption_id = ${session.redemptionId},
      subscription = ${session.subscription && JSON.stringify(session.subscription)}, version = version + 1
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
