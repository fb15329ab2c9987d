import { type Violation, violation } from '@storekeep/common/errors'
import type { ProductTerms, StockLimit } from './product.ts'

/** The terms that limit the stock of a product. */
export type StockTerms = Pick<ProductTerms, 'storeStockLimit' | 'customerStockLimit' | 'stockLimitDoNotIncludeRemoved'>

/** A product whose units are counted. */
export interface StockQuery extends StockTerms {
  productId: string
  /** For whom the customer limit is counted; null without a customer. */
  customerId: string | null
}

/** Units that are reserved or sold. Undefined without an enabled limit, and for a customer limit without a customer. */
export interface StockUsage {
  byStore: number | undefined
  byCustomer: number | undefined
}

/** Units that the limits leave, at least 0. Undefined without an enabled limit, and for a customer limit without a customer. */
export interface StockAvailable {
  storeAvailable: number | undefined
  customerAvailable: number | undefined
}

export const noStockLimit: StockAvailable = { storeAvailable: undefined, customerAvailable: undefined }

/** Units of a product that a line of an order asks for. */
export interface StockDemand extends StockQuery {
  /** Path of the product in the request: "lines.0.product_id". */
  at: string
  quantity: number
}

/** Whether the units of a product are counted. */
export function hasStockLimit({ storeStockLimit, customerStockLimit }: StockTerms): boolean {
  return isEnabled(storeStockLimit) || isEnabled(customerStockLimit)
}

export function isEnabled(limit: StockLimit | null): limit is StockLimit & { quantity: number } {
  return limit?.enabled === true && limit.quantity !== null
}

/**
 * Which units no longer count because they were reserved at this time or earlier; null if all count.
 * A window never reaches back beyond 1970.
 */
export function windowStart({ timeValue, timeScale }: StockLimit, now: Date): Date | null {
  if (timeValue === null || timeScale === null) return null
  const start = new Date(now)
  switch (timeScale) {
    case 'day':
      start.setUTCDate(start.getUTCDate() - timeValue)
      break
    case 'week':
      start.setUTCDate(start.getUTCDate() - 7 * timeValue)
      break
    case 'month':
      subtractMonths(start, timeValue)
      break
    case 'year':
      subtractMonths(start, 12 * timeValue)
  }
  return new Date(Math.max(0, start.getTime()))
}

const noUsage: StockUsage = { byStore: undefined, byCustomer: undefined }

export function stockAvailable(
  { storeStockLimit, customerStockLimit }: StockTerms,
  { byStore, byCustomer }: StockUsage = noUsage,
): StockAvailable {
  return {
    storeAvailable: remaining(storeStockLimit, byStore),
    customerAvailable: remaining(customerStockLimit, byCustomer),
  }
}

/**
 * Which lines ask for more units than the limits leave. Lines of the same product share its units, in their order.
 * @param usages of the demands, in their order, without the units that the order asks for
 */
export function stockViolations(demands: readonly StockDemand[], usages: readonly StockUsage[]): Violation[] {
  const taken = new Map<string, number>()
  return demands.flatMap((demand, index) => {
    const { productId, customerId, quantity, at } = demand
    const { storeAvailable: store, customerAvailable: customer } = stockAvailable(demand, usages[index])
    const [ofStore, ofCustomer] = [productId, `${productId} ${customerId}`]
    if (store !== undefined && quantity + (taken.get(ofStore) ?? 0) > store) {
      return [violation(at, 'reference', 'is out of stock', 'product-out-of-stock')]
    }
    if (customer !== undefined && quantity + (taken.get(ofCustomer) ?? 0) > customer) {
      return [violation(at, 'reference', 'exceeds the limit of the customer', 'product-customer-limit')]
    }
    for (const key of new Set([ofStore, ofCustomer])) taken.set(key, quantity + (taken.get(key) ?? 0))
    return []
  })
}

function remaining(limit: StockLimit | null, used: number | undefined): number | undefined {
  return isEnabled(limit) && used !== undefined ? Math.max(0, limit.quantity - used) : undefined
}

/** The last day of the month if the month has no such day. */
function subtractMonths(time: Date, months: number): void {
  const day = time.getUTCDate()
  time.setUTCDate(1)
  time.setUTCMonth(time.getUTCMonth() - months)
  const lastDay = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate()
  time.setUTCDate(Math.min(day, lastDay))
}
