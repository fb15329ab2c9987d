import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import type { Queryable, Transaction, UniqueRule } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'
import type { ProductTerms } from '../domain/product.ts'

/** A product as the repository returns it. Ids and versions are int8 and therefore strings. */
export interface ProductRow extends ProductTerms {
  id: string
  storeId: string
  /** See `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}

/** A product to insert. */
export interface NewProduct extends ProductTerms {
  id: string
  storeId: string
  createdBy: string
  createdAt: Date
}

/** No two products of a store have the same slug. */
export const takenSlug: UniqueRule = {
  paths: { product_slug_unique: 'slug' },
  message: 'Another product of this store has this slug.',
  problem: 'belongs to another product of this store',
}

/** Inserts the product with the commit, which fails if the slug is taken; see `takenSlug`. @returns the row */
export function insertProduct(tx: Transaction, product: NewProduct): ProductRow {
  tx.insert('product', {
    id: product.id,
    store_id: product.storeId,
    slug: product.slug,
    name: product.name,
    description: product.description,
    label: product.label,
    price: product.price,
    allow_one_time_purchase: product.allowOneTimePurchase,
    allow_subscription: product.allowSubscription,
    subscription_interval_value: product.subscriptionIntervalValue,
    subscription_interval_scale: product.subscriptionIntervalScale,
    tags: product.tags,
    custom_variable_ids: product.customVariableIds,
    is_hidden: product.isHidden,
    is_coupons_disabled: product.isCouponsDisabled,
    is_gifting_disabled: product.isGiftingDisabled,
    is_affiliate_links_disabled: product.isAffiliateLinksDisabled,
    enabled_at: product.enabledAt,
    enabled_until: product.enabledUntil,
    metadata: product.metadata,
    created_by: product.createdBy,
    created_at: product.createdAt,
  })
  return { ...product, updatedBy: null, updatedAt: null, version: '1' }
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

/** Locks the product until the transaction ends. */
export async function lockProduct(tx: Transaction, storeId: string, id: string): Promise<ProductRow | undefined> {
  const [row] = await tx.query<StoredProduct>(sql`
    select ${productColumns} from product where store_id = ${storeId} and id = ${id} for no key update`)
  return row && toProductRow(row)
}

/** The rows of one page, in the order in which the plan reads. */
export async function selectProducts(db: Queryable, storeId: string, plan: PagePlan): Promise<ProductRow[]> {
  const rows = await db.query<StoredProduct>(sql`
    select ${productColumns} from product where store_id = ${storeId} and ${pageCondition(plan)}
    ${pageOrder(plan)} limit ${plan.take}`)
  return rows.map(toProductRow)
}

/**
 * Writes the terms of a product that the transaction has locked, and increments its version.
 * @throws pg.DatabaseError if the slug is taken; see `takenSlug`
 */
export async function updateProductTerms(
  tx: Transaction,
  { storeId, id }: Pick<ProductRow, 'storeId' | 'id'>,
  terms: ProductTerms,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<ProductRow> {
  const [row] = await tx.query<StoredProduct>(sql`
    update product set
      slug = ${terms.slug}, name = ${terms.name}, description = ${terms.description}, label = ${terms.label},
      price = ${terms.price}, allow_one_time_purchase = ${terms.allowOneTimePurchase},
      allow_subscription = ${terms.allowSubscription},
      subscription_interval_value = ${terms.subscriptionIntervalValue},
      subscription_interval_scale = ${terms.subscriptionIntervalScale}, tags = ${terms.tags}::bigint[],
      custom_variable_ids = ${terms.customVariableIds}::bigint[], is_hidden = ${terms.isHidden},
      is_coupons_disabled = ${terms.isCouponsDisabled}, is_gifting_disabled = ${terms.isGiftingDisabled},
      is_affiliate_links_disabled = ${terms.isAffiliateLinksDisabled}, enabled_at = ${terms.enabledAt},
      enabled_until = ${terms.enabledUntil}, metadata = ${JSON.stringify(terms.metadata)},
      updated_by = ${updatedBy}, updated_at = ${updatedAt}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${productColumns}`)
  if (!row) throw new Error('locked product not found')
  return toProductRow(row)
}

export async function deleteLockedProduct(tx: Transaction, { storeId, id }: ProductRow): Promise<void> {
  await tx.query(sql`delete from product where store_id = ${storeId} and id = ${id}`)
}

/** A product as a statement returns it: the price is a string. */
export type StoredProduct = Omit<ProductRow, 'price'> & { price: string }

export function toProductRow(row: StoredProduct): ProductRow {
  return { ...row, price: BigInt(row.price) }
}

export const productColumns = raw(`id, store_id as "storeId", slug, name, description, label, price,
  allow_one_time_purchase as "allowOneTimePurchase", allow_subscription as "allowSubscription",
  subscription_interval_value as "subscriptionIntervalValue",
  subscription_interval_scale as "subscriptionIntervalScale", tags, custom_variable_ids as "customVariableIds",
  is_hidden as "isHidden", is_coupons_disabled as "isCouponsDisabled", is_gifting_disabled as "isGiftingDisabled",
  is_affiliate_links_disabled as "isAffiliateLinksDisabled", enabled_at as "enabledAt",
  enabled_until as "enabledUntil", metadata, created_by as "createdBy", created_at as "createdAt",
  updated_by as "updatedBy", updated_at as "updatedAt", version`)
