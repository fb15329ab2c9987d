import { lockName, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { ProductVersion } from '../domain/product-version.ts'

/** Stores a version, which never changes. The versions of a product may arrive in any order, and after its deletion. */
export async function insertProductVersion(tx: Transaction, version: ProductVersion): Promise<void> {
  const { storeId, id, productId, name, slug, terms, number, deleted } = version
  // Serializes the events of a product, so that a version that arrives late sees the deletion.
  await lockName(tx, `product versions of ${storeId} ${productId}`)
  await tx.query(sql`
    insert into product_version (store_id, id, product_id, name, slug, terms, number, deleted)
    select ${storeId}, ${id}, ${productId}, ${name}, ${slug}, ${JSON.stringify(terms)}::jsonb, ${number}::bigint,
      ${deleted} or exists (
        select from product_version where store_id = ${storeId} and product_id = ${productId} and deleted
      )
    on conflict do nothing`)
  if (!deleted) return
  await tx.query(sql`
    update product_version set deleted = true where store_id = ${storeId} and product_id = ${productId} and not deleted`)
}

/** Versions by id, also of deleted products. */
export async function findProductVersions(
  db: Queryable,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, ProductVersion>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<ProductVersion>(sql`
    select ${columns} from product_version where store_id = ${storeId} and id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The latest version of each product, by the id of the product. */
export async function findLatestVersions(
  db: Queryable,
  storeId: string,
  productIds: readonly string[],
): Promise<Map<string, ProductVersion>> {
  if (productIds.length === 0) return new Map()
  const rows = await db.query<ProductVersion>(sql`
    select distinct on (product_id) ${columns} from product_version
    where store_id = ${storeId} and product_id = any(${productIds}::bigint[]) order by product_id, number desc`)
  return new Map(rows.map((row) => [row.productId, row]))
}

const columns = sql`store_id as "storeId", id, product_id as "productId", name, slug, terms, number, deleted`
