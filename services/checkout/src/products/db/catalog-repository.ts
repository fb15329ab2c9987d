import type { PagePlan } from '@storekeep/common/page'
import { type Columns, type Queryable, selectColumns } from '@storekeep/common/postgres'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { CatalogProduct } from '../domain/catalog.ts'
import { productTable } from './product-repository.ts'

/** Where a product stands in the order of the storefront. */
export interface CatalogPosition {
  id: string
  sortOrder: number
}

export interface CatalogFilter {
  tagId: string | undefined
  /** See `searchText`. */
  search: string | undefined
  /** Decides which products are on sale. */
  now: Date
}

/** The places of the products with these ids, in any order. */
export async function findCatalogPositions(
  db: Queryable,
  storeId: string,
  ids: readonly string[],
): Promise<CatalogPosition[]> {
  if (ids.length === 0) return []
  return await db.query<CatalogPosition>(sql`
    select id, sort_order as "sortOrder" from product where store_id = ${storeId} and id = any(${ids}::bigint[])`)
}

/** The rows of one page of visible products, in the order in which the plan reads. */
export async function selectCatalog(
  db: Queryable,
  storeId: string,
  { tagId, search, now }: CatalogFilter,
  { plan, after, before }: { plan: PagePlan; after: CatalogPosition | undefined; before: CatalogPosition | undefined },
): Promise<CatalogProduct[]> {
  const rows = await db.query<StoredCatalogProduct>(sql`
    select ${catalogColumns} from product
    where store_id = ${storeId} and enabled and not is_hidden and ${onSale(now)}
      ${tagId === undefined ? empty : sql`and tags @> array[${tagId}::bigint]`}
      ${search === undefined ? empty : sql`and position(${search} in search_text) > 0`}
      ${after ? sql`and (sort_order, id) > (${after.sortOrder}, ${after.id}::bigint)` : empty}
      ${before ? sql`and (sort_order, id) < (${before.sortOrder}, ${before.id}::bigint)` : empty}
    ${plan.ascending ? raw('order by sort_order, id') : raw('order by sort_order desc, id desc')}
    limit ${plan.take}`)
  return rows.map(toCatalogProduct)
}

/** The product with this id or slug, if it is on sale. @param id of the product; null for a text that is no id */
export async function findCatalogProduct(
  db: Queryable,
  storeId: string,
  { id, slug, now }: { id: string | null; slug: string; now: Date },
): Promise<CatalogProduct | undefined> {
  const [row] = await db.query<StoredCatalogProduct>(sql`
    select ${catalogColumns} from product
    where store_id = ${storeId} and (id = ${id} or (slug is not null and lower(slug) = lower(${slug})))
      and enabled and ${onSale(now)}
    order by id = ${id} desc nulls last limit 1`)
  return row && toCatalogProduct(row)
}

function onSale(now: Date): Sql {
  return sql`(enabled_at is null or enabled_at <= ${now}) and (enabled_until is null or enabled_until > ${now})`
}

type StoredCatalogProduct = Omit<CatalogProduct, 'price'> & { price: string }

function toCatalogProduct(row: StoredCatalogProduct): CatalogProduct {
  return { ...row, price: BigInt(row.price) }
}

const {
  commands,
  metadata,
  customerStockLimit,
  enabled,
  enabledAt,
  isAffiliateLinksDisabled,
  isCouponsDisabled,
  isHidden,
  storeId,
  versionId,
  createdBy,
  createdAt,
  updatedBy,
  updatedAt,
  version,
  ...shown
} = productTable

const catalogColumns = selectColumns(shown satisfies Columns<keyof CatalogProduct>)
