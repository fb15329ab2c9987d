import type { Queryable } from '@storekeep/common/postgres'
import type { CatalogProduct } from '../domain/catalog.ts'
import type { StockAvailable } from '../domain/stock.ts'
import { findStockAvailable } from './find-stock-available.ts'

/** The units of each product that are left for all customers together, in the order of the products. */
export async function findCatalogStock(
  db: Queryable,
  storeId: string,
  rows: readonly CatalogProduct[],
  now: Date,
): Promise<StockAvailable[]> {
  const products = rows.map((row) => ({ ...row, customerStockLimit: null }))
  return await findStockAvailable(db, storeId, { products, customerId: null, now })
}
