import {
  expectRow,
  insertInto,
  type Queryable,
  rowOf,
  setColumns,
  type Transaction,
  type UniqueRule,
} from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { StoreState } from '../domain/store.ts'
import { detailColumns, identityColumns, type StoreRow, storeColumns } from './schema.ts'

/** @throws pg.DatabaseError when the slug is taken; see `uniqueSlug` */
export async function insertStore(tx: Transaction, store: StoreState & { createdAt: Date }): Promise<StoreRow> {
  const values = { ...rowOf({ ...identityColumns, ...detailColumns }, store), created_at: store.createdAt }
  const rows = await tx.query<StoreRow>(sql`${insertInto('store', [values])} returning ${storeColumns}`)
  return expectRow(rows)
}

export async function findStore(db: Queryable, id: string): Promise<StoreRow | undefined> {
  const [row] = await db.query<StoreRow>(sql`select ${storeColumns} from store where id = ${id}`)
  return row
}

/** Slugs are unique across all stores. */
export async function findStoreBySlug(db: Queryable, slug: string): Promise<StoreRow | undefined> {
  const [row] = await db.query<StoreRow>(sql`select ${storeColumns} from store where slug = ${slug}`)
  return row
}

/** Oldest first. */
export async function selectStores(db: Queryable): Promise<StoreRow[]> {
  return await db.query<StoreRow>(sql`select ${storeColumns} from store order by id`)
}

export async function storeExists(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from store where id = ${id}`)
  return rows.length > 0
}

/** Locks the store until the transaction ends. @returns false for an unknown store */
export async function lockStore(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.query(sql`select 1 from store where id = ${id} for no key update`)
  return rows.length > 0
}

/** Writes the details of a locked store, and increments its version. */
export async function updateStore(tx: Transaction, store: StoreRow, updatedAt: Date): Promise<StoreRow> {
  // The driver would write an array as the value of an array column.
  const taxRegistrations = JSON.stringify(store.taxRegistrations)
  const values = { ...rowOf(detailColumns, { ...store, taxRegistrations }), updated_at: updatedAt }
  const rows = await tx.query<StoreRow>(sql`
    update store set ${setColumns(values)}, version = version + 1 where id = ${store.id} returning ${storeColumns}`)
  return expectRow(rows)
}

/** Slugs are unique across all stores. */
export const uniqueSlug: UniqueRule = {
  paths: { store_slug_unique: 'slug' },
  message: 'Another store has this slug.',
  problem: 'is taken',
}
