import {
  type Audit,
  expectRow,
  type Queryable,
  rowOf,
  setColumns,
  type Transaction,
  type UniqueRule,
  unchanged,
} from '@storekeep/common/postgres'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import sql from 'sql-template-tag'
import { type Coupon, type CouponState, couponFields } from '../domain/coupon.ts'
import { type CouponColumns, type CouponRow, couponColumns, couponFromColumns, couponTable } from './schema.ts'

/** A coupon to insert. */
export type NewCoupon = Coupon & Pick<Audit, 'createdBy' | 'createdAt'>

/** The codes of the coupons of a store are unique, ignoring case. */
export const takenCode: UniqueRule = {
  paths: { coupon_code_unique: 'code' },
  message: 'Another coupon of this store has this code.',
  problem: 'belongs to another coupon of this store',
}

/** Inserts the coupon with the commit, which fails if the code is taken; see `takenCode`. @returns the row */
export function insertCoupon(tx: Transaction, coupon: NewCoupon): CouponRow {
  const row = { ...coupon, ...unchanged }
  tx.insert('coupon', { ...rowOf(couponTable, row), folded_code: foldText(coupon.code) })
  storeVersion(tx, coupon)
  return row
}

export async function findCoupon(db: Queryable, storeId: string, id: string): Promise<CouponRow | undefined> {
  const [row] = await db.query<CouponColumns>(
    sql`select ${couponColumns} from coupon where store_id = ${storeId} and id = ${id}`,
  )
  return row && couponFromColumns(row)
}

/** Locks the coupon until the transaction ends. */
export async function lockCoupon(tx: Transaction, storeId: string, id: string): Promise<CouponRow | undefined> {
  const [row] = await tx.query<CouponColumns>(
    sql`select ${couponColumns} from coupon where store_id = ${storeId} and id = ${id} for no key update`,
  )
  return row && couponFromColumns(row)
}

/**
 * Writes the terms of a coupon that the transaction has locked, and creates a new version.
 * @throws pg.DatabaseError if the code is taken; see `takenCode`
 */
export async function updateCouponState(
  tx: Transaction,
  { storeId, id }: Pick<CouponRow, 'storeId' | 'id'>,
  state: CouponState,
  { versionId, updatedBy, updatedAt }: { versionId: string; updatedBy: string; updatedAt: Date },
): Promise<CouponRow> {
  const values = {
    ...rowOf(couponFields, state),
    folded_code: foldText(state.code),
    version_id: versionId,
    updated_by: updatedBy,
    updated_at: updatedAt,
  }
  const rows = await tx.query<CouponColumns>(sql`
    update coupon set ${setColumns(values)}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${couponColumns}`)
  const row = expectRow(rows)
  storeVersion(tx, row)
  return couponFromColumns(row)
}

/** Its versions and redemptions stay. */
export async function deleteLockedCoupon(tx: Transaction, { storeId, id }: CouponRow): Promise<void> {
  await tx.query(sql`delete from coupon where store_id = ${storeId} and id = ${id}`)
}

/** Stores the terms of a coupon that the transaction writes as a version, before the commit. */
function storeVersion(tx: Transaction, { storeId, id }: Pick<Coupon, 'storeId' | 'id'>): void {
  tx.enqueueBeforeCommit(sql`
    insert into coupon_version (id, store_id, coupon_id, terms, created_by, created_at)
    select version_id, store_id, id, to_jsonb(coupon) - ${notTerms}::text[],
      coalesce(updated_by, created_by), coalesce(updated_at, created_at)
    from coupon where store_id = ${storeId} and id = ${id}`)
}

const notTerms = [
  'id',
  'store_id',
  'version_id',
  'folded_code',
  'generated',
  'active_until',
  'created_by',
  'created_at',
  'updated_by',
  'updated_at',
  'version',
  'used',
]
