import { rowOf, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { CheckoutPayment } from '../domain/checkout-payment.ts'
import {
  lineTable,
  type SessionRow,
  type StoredSession,
  sessionColumns,
  sessionTable,
  storedTax,
  toSessionRow,
} from './schema.ts'
import { findSession } from './session-repository.ts'

/** A session to insert. */
export type NewSession = Omit<SessionRow, keyof typeof openSession>

const openSession = {
  status: 'open',
  completedAt: null,
  canceledAt: null,
  paymentId: null,
  orderId: null,
  redemptionId: null,
  version: '1',
} as const satisfies Partial<SessionRow>

/** Inserts the session with the commit. @returns the row */
export function insertSession(tx: Transaction, session: NewSession, tokenHash: Buffer): SessionRow {
  const row = { ...session, ...openSession }
  tx.insert('checkout_session', {
    ...rowOf(sessionTable, { ...row, tax: row.tax && storedTax(row.tax) }),
    token_hash: tokenHash,
  })
  insertLines(tx, row)
  return row
}

function insertLines(tx: Transaction, { storeId, id, lines }: Pick<SessionRow, 'storeId' | 'id' | 'lines'>): void {
  lines.forEach((line, index) => {
    tx.insert('checkout_line', {
      ...rowOf(lineTable, line),
      store_id: storeId,
      checkout_id: id,
      position: index + 1,
      // In a JSON column, amounts are strings.
      inline_product: line.inlineProduct && { ...line.inlineProduct, price: line.inlineProduct.price.toString() },
    })
  })
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
  payment: Pick<CheckoutPayment, 'paymentId' | 'orderId'> | null = null,
): Promise<SessionRow> {
  const [row] = await tx.query<StoredSession>(sql`
    update checkout_session set status = ${status}, version = version + 1,
      completed_at = case ${status} when 'completed' then ${now}::timestamptz end,
      canceled_at = case ${status} when 'canceled' then ${now}::timestamptz end,
      payment_id = ${payment?.paymentId}, order_id = ${payment?.orderId}
    where store_id = ${storeId} and id = ${id} returning ${sessionColumns}`)
  if (!row) throw new Error('a locked session has disappeared')
  return toSessionRow(row)
}

/** Removes the lines of a customer's cart that a session has bought. */
export async function removeBoughtLines(
  tx: Transaction,
  { storeId, customerId, lines }: Pick<SessionRow, 'storeId' | 'customerId' | 'lines'>,
): Promise<void> {
  const keys = lines.flatMap(({ cartKey }) => cartKey ?? [])
  if (keys.length === 0) return
  await tx.query(sql`
    update cart set lines = coalesce((
      select jsonb_agg(line order by number) from jsonb_array_elements(lines) with ordinality as each (line, number)
      where line->>'key' <> all(${keys}::text[])), '[]')
    where store_id = ${storeId} and customer_id = ${customerId}`)
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

/** Writes the tax and the details of an open session that the transaction has locked, and increments its version. */
export async function updateTax(tx: Transaction, session: SessionRow): Promise<SessionRow> {
  const { storeId, id, customerDetails } = session
  await updateLineAmounts(tx, session)
  const [row] = await tx.query<StoredSession>(sql`
    update checkout_session set customer_details = ${customerDetails && JSON.stringify(customerDetails)},
      tax = ${taxColumn(session)}, total_amount = ${session.totalAmount}, version = version + 1
    where store_id = ${storeId} and id = ${id} returning ${sessionColumns}`)
  if (!row) throw new Error('a locked session has disappeared')
  return toSessionRow(row)
}

async function updateLineAmounts(tx: Transaction, { storeId, id, lines }: SessionRow): Promise<void> {
  const positions = lines.map((_, index) => index + 1)
  const discounts = lines.map(({ discountAmount }) => discountAmount)
  const nets = lines.map(({ netAmount }) => netAmount)
  const taxes = lines.map(({ taxAmount }) => taxAmount)
  await tx.query(sql`
    update checkout_line set discount_amount = discount, total_amount = unit_price * quantity - discount,
      net_amount = net, tax_amount = tax
    from unnest(${positions}::smallint[], ${discounts}::bigint[], ${nets}::bigint[], ${taxes}::bigint[])
      as given (given_position, discount, net, tax)
    where store_id = ${storeId} and checkout_id = ${id} and position = given_position`)
}

function taxColumn({ tax }: Pick<SessionRow, 'tax'>): string | null {
  return tax && JSON.stringify(storedTax(tax))
}

/** Writes the discounts of an open session that the transaction has locked, and increments its version. */
export async function updateDiscounts(tx: Transaction, session: SessionRow): Promise<SessionRow> {
  await updateLineAmounts(tx, session)
  return toSessionRow(await updateAmounts(tx, session))
}

/** Replaces the lines of an open session that the transaction has locked, with its discounts, and increments its version. */
export async function replaceLines(tx: Transaction, session: SessionRow): Promise<SessionRow> {
  const { storeId, id, lines } = session
  await tx.query(sql`delete from checkout_line where store_id = ${storeId} and checkout_id = ${id}`)
  // The new lines are inserted with the commit.
  insertLines(tx, session)
  return { ...toSessionRow({ ...(await updateAmounts(tx, session)), lines: [] }), lines }
}

async function updateAmounts(tx: Transaction, session: SessionRow): Promise<StoredSession> {
  const { storeId, id } = session
  const [row] = await tx.query<StoredSession>(sql`
    update checkout_session set coupon_id = ${session.couponId}, coupon_version_id = ${session.couponVersionId},
      coupon_code = ${session.couponCode}, subtotal_amount = ${session.subtotalAmount},
      affiliate_link_id = ${session.affiliateLinkId}, coupon_discount_amount = ${session.couponDiscountAmount},
      affiliate_discount_amount = ${session.affiliateDiscountAmount}, total_amount = ${session.totalAmount},
      redemption_id = ${session.redemptionId}, tax = ${taxColumn(session)},
      subscription = ${session.subscription && JSON.stringify(session.subscription)}, version = version + 1
    where store_id = ${storeId} and id = ${id} returning ${sessionColumns}`)
  if (!row) throw new Error('a locked session has disappeared')
  return row
}

/** Writes the game server of a line of an open session that the transaction has locked, and increments its version. */
export async function updateGameServer(
  tx: Transaction,
  { storeId, id }: Pick<SessionRow, 'storeId' | 'id'>,
  { position, gameServerId }: { position: number; gameServerId: string },
): Promise<SessionRow> {
  await tx.query(sql`
    update checkout_line set selected_gameserver_id = ${gameServerId}
    where store_id = ${storeId} and checkout_id = ${id} and position = ${position}`)
  const [row] = await tx.query<StoredSession>(sql`
    update checkout_session set version = version + 1
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
