import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'
import type { Redemption, RedemptionState } from '../domain/redemption.ts'

/** What a checkout asks for. */
export type NewRedemption = Omit<Redemption, 'id' | 'state'>

/** What the ledger has of a checkout: a redemption, or the mark that it gave its place back before it had one. */
export type LedgerEntry = Redemption | { couponId: null; state: 'released' }

export async function findLedgerEntry(
  db: Queryable,
  storeId: string,
  checkoutId: string,
): Promise<LedgerEntry | undefined> {
  const [row] = await db.query<LedgerEntry>(sql`
    select ${redemptionColumns} from redemption where store_id = ${storeId} and checkout_id = ${checkoutId}`)
  return row
}

/** The redemption, which nobody else changes until the transaction ends, its coupon gone or not. */
export async function lockRedemption(tx: Transaction, { storeId, checkoutId }: Redemption): Promise<Redemption> {
  const [row] = await tx.query<Redemption>(sql`
    select ${redemptionColumns} from redemption
    where store_id = ${storeId} and checkout_id = ${checkoutId} for no key update`)
  if (!row) throw new Error('A redemption vanished.')
  return row
}

/** Undefined when the ledger has an entry of the checkout already. */
export async function insertReservation(tx: Transaction, given: NewRedemption): Promise<Redemption | undefined> {
  const [row] = await tx.query<Redemption>(sql`
    insert into redemption (store_id, checkout_id, coupon_id, coupon_version_id, customer_id, state, expires_at,
      created_at)
    values (${given.storeId}, ${given.checkoutId}, ${given.couponId}, ${given.couponVersionId}, ${given.customerId},
      'reserved', ${given.expiresAt}, ${given.createdAt})
    on conflict do nothing returning ${redemptionColumns}`)
  return row
}

/** Marks that a checkout wants no place, so that a reservation on its way gets none. @returns false when it has an entry */
export async function insertReleased(
  tx: Transaction,
  storeId: string,
  checkoutId: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into redemption (store_id, checkout_id, state, created_at)
    values (${storeId}, ${checkoutId}, 'released', ${now})
    on conflict do nothing returning 1`)
  return rows.length > 0
}

export async function updateRedemptionState(
  tx: Transaction,
  { storeId, checkoutId }: Redemption,
  state: RedemptionState,
): Promise<Redemption> {
  const [row] = await tx.query<Redemption>(sql`
    update redemption set state = ${state} where store_id = ${storeId} and checkout_id = ${checkoutId}
    returning ${redemptionColumns}`)
  if (!row) throw new Error('A locked redemption vanished.')
  return row
}

const redemptionColumns = raw(`id, store_id as "storeId", checkout_id as "checkoutId", coupon_id as "couponId",
  coupon_version_id as "couponVersionId", customer_id as "customerId", state, expires_at as "expiresAt",
  created_at as "createdAt"`)
