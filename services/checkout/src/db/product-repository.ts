import type { Queryable } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'
import type { ProductTerms } from '../domain/product.ts'

/** A product as the repository answers it. Ids and versions are int8 and therefore strings. */
export interface ProductRow extends ProductTerms {
  id: string
  storeId: string
  /** Who made it; see `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}

/** Those of the products that the store has, in no order. */
export async function findProducts(db: Queryable, storeId: string, ids: readonly string[]): Promise<ProductRow[]> {
  const rows = await db.query<StoredRow>(sql`
    select ${productColumns} from product where store_id = ${storeId} and id = any(${ids}::bigint[])`)
  return rows.map(toRow)
}

type StoredRow = Omit<ProductRow, 'price'> & { price: string }

function toRow(row: StoredRow): ProductRow {
  return { ...row, price: BigInt(row.price) }
}

const productColumns = raw(`id, store_id as "storeId", slug, name, description, label, price,
  allow_one_time_purchase as "allowOneTimePurchase", allow_subscription as "allowSubscription",
  subscription_interval_value as "subscriptionIntervalValue",
  subscription_interval_scale as "subscriptionIntervalScale", tags, custom_variable_ids as "customVariableIds",
  is_hidden as "isHidden", is_coupons_disabled as "isCouponsDisabled", is_gifting_disabled as "isGiftingDisabled",
  is_affiliate_links_disabled as "isAffiliateLinksDisabled", enabled_at as "enabledAt",
  enabled_until as "enabledUntil", metadata, created_by as "createdBy", created_at as "createdAt",
  updated_by as "updatedBy", updated_at as "updatedAt", version`)
