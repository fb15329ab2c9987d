import type { Queryable } from '@storekeep/common/postgres'
import { findStockUsage } from '../db/stock-repository.ts'
import { hasStockLimit, noStockLimit, type StockAvailable, type StockTerms, stockAvailable } from '../domain/stock.ts'

/**
 * The units that the stock limits of each product leave. Reads nothing if no product has a limit.
 * @param customerId for whom the customer limits are counted; null without a customer
 * @returns in the order of the products
 */
export async function findStockAvailable(
  db: Queryable,
  storeId: string,
  {
    products,
    customerId,
    now,
  }: { products: readonly (StockTerms & { id: string })[]; customerId: string | null; now: Date },
): Promise<StockAvailable[]> {
  const limited = products.filter(hasStockLimit)
  if (limited.length === 0) return products.map(() => noStockLimit)
  const queries = limited.map((product) => ({ ...product, productId: product.id, customerId }))
  const usages = await findStockUsage(db, storeId, queries, now)
  const available = new Map(limited.map((product, index) => [product, stockAvailable(product, usages[index])]))
  return products.map((product) => available.get(product) ?? noStockLimit)
}
