import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import {
  type Audit,
  auditColumns,
  type Columns,
  type Queryable,
  rowOf,
  selectColumns,
  setColumns,
  type Transaction,
  type UniqueRule,
  unchanged,
} from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { searchText } from '../domain/catalog.ts'
import { type Product, productFields } from '../domain/product.ts'

/** A product as the repository returns it. Ids are int8 and therefore strings. */
export interface ProductRow extends Product, Audit {
  id: string
  storeId: string
  /** Every change has a new one. */
  versionId: string
}

/** A product to insert. */
export type NewProduct = Omit<ProductRow, keyof typeof unchanged>

/** No two products of a store have the same slug. */
export const takenSlug: UniqueRule = {
  paths: { product_slug_unique: 'slug' },
  message: 'Another product of this store has this slug.',
  problem: 'belongs to another product of this store',
}

/** Inserts the product with the commit, which fails if the slug is taken; see `takenSlug`. @returns the row */
export function insertProduct(tx: Transaction, product: NewProduct): ProductRow {
  const row = { ...product, ...unchanged }
  tx.insert('product', { ...rowOf(productTable, row), search_text: searchTextOf(row) })
  return row
}

export async function findProduct(db: Queryable, storeId: string, id: string): Promise<ProductRow | undefined> {
  const [row] = await findProducts(db, storeId, [id])
  return row
}

/** The products with these ids, in any order. */
export async function findProducts(db: Queryable, storeId: string, ids: readonly string[]): Promise<ProductRow[]> {
  const rows = await db.query<StoredProduct>(sql`
    select ${productColumns} from product where store_id = ${storeId} and id = any(${ids}::bigint[])`)
  return rows.map(toProductRow)
}

/** Which of these products exist. */
export async function findProductIds(db: Queryable, storeId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from product where store_id = ${storeId} and id = any(${ids}::bigint[])`)
  return rows.map(({ id }) => id)
}

/** Locks the product until the transaction ends. */
export async function lockProduct(tx: Transaction, storeId: string, id: string): Promise<ProductRow | undefined> {
  const [row] = await tx.query<StoredProduct>(sql`
    select ${productColumns} from product where store_id = ${storeId} and id = ${id} for no key update`)
  return row && toProductRow(row)
}

/**
 * The rows of one page, in the order in which the plan reads.
 * @param filter.ids of products or of their current versions; undefined matches every product
 */
export async function selectProducts(
  db: Queryable,
  { storeId, ids }: { storeId: string; ids: readonly string[] | undefined },
  plan: PagePlan,
): Promise<ProductRow[]> {
  // An array, so that every plan looks the ids up instead of filtering the products of the store.
  const hasId = ids
    ? sql`id = any(array(
        select id from product where store_id = ${storeId} and id = any(${ids}::bigint[])
        union select id from product where store_id = ${storeId} and version_id = any(${ids}::bigint[])))`
    : sql`true`
  const rows = await db.query<StoredProduct>(sql`
    select ${productColumns} from product where store_id = ${storeId} and ${hasId} and ${pageCondition(plan)}
    ${pageOrder(plan)} limit ${plan.take}`)
  return rows.map(toProductRow)
}

/**
 * Writes a product that the transaction has locked, and increments its version.
 * @throws pg.DatabaseError if the slug is taken; see `takenSlug`
 */
export async function updateProductFields(
  tx: Transaction,
  { storeId, id }: Pick<ProductRow, 'storeId' | 'id'>,
  product: Product,
  { versionId, updatedBy, updatedAt }: { versionId: string; updatedBy: string; updatedAt: Date },
): Promise<ProductRow> {
  const values = {
    ...rowOf(productFields, product),
    // The only array in a jsonb column.
    commands: JSON.stringify(product.commands),
    search_text: searchTextOf(product),
    version_id: versionId,
    updated_by: updatedBy,
    updated_at: updatedAt,
  }
  const [row] = await tx.query<StoredProduct>(sql`
    update product set ${setColumns(values)}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${productColumns}`)
  if (!row) throw new Error('locked product not found')
  return toProductRow(row)
}

export async function deleteLockedProduct(tx: Transaction, { storeId, id }: ProductRow): Promise<void> {
  await tx.query(sql`delete from product where store_id = ${storeId} and id = ${id}`)
}

function searchTextOf({ name, label }: Pick<Product, 'name' | 'label'>): string {
  return searchText(label === null ? name : `${name}\n${label}`)
}

/** A product as a statement returns it: the price is a string. */
export type StoredProduct = Omit<ProductRow, 'price'> & { price: string }

export function toProductRow(row: StoredProduct): ProductRow {
  return { ...row, price: BigInt(row.price) }
}

export const productTable = {
  id: 'id',
  storeId: 'store_id',
  versionId: 'version_id',
  ...productFields,
  ...auditColumns,
} as const satisfies Columns<keyof ProductRow>

export const productColumns = selectColumns(productTable)
