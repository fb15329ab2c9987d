import { errors, type Violation } from '@storekeep/common/errors'
import type { Queryable, Transaction } from '@storekeep/common/postgres'
import { findStockUsage, insertStockReservation, lockStock } from '../../products/db/stock-repository.ts'
import { hasStockLimit, type StockDemand, stockViolations } from '../../products/domain/stock.ts'
import type { CheckoutSession } from '../domain/checkout-session.ts'
import type { ProductLine } from '../domain/order.ts'

/**
 * What a new order asks for of products with a stock limit.
 * @param recipientOf a line, by its index; null if the recipient is not known yet
 */
export function stockDemands(
  lines: readonly ProductLine[],
  recipientOf: (index: number) => string | null,
): (StockDemand & { position: number })[] {
  return lines.flatMap(({ at, productId, terms, draft }, index) => {
    if (productId === null || !hasStockLimit(terms)) return []
    const { storeStockLimit, customerStockLimit, stockLimitDoNotIncludeRemoved } = terms
    return [
      {
        at: `${at}.product_id`,
        position: index + 1,
        productId,
        customerId: recipientOf(index),
        quantity: draft.quantity,
        storeStockLimit,
        customerStockLimit,
        stockLimitDoNotIncludeRemoved,
      },
    ]
  })
}

/**
 * Which lines ask for more units than there are. Without locks, this is only an early answer; see `reserveStock`. Reads nothing
 * without demands.
 */
export async function findStockViolations(
  db: Queryable,
  storeId: string,
  demands: readonly StockDemand[],
  now: Date,
): Promise<Violation[]> {
  if (demands.length === 0) return []
  return stockViolations(demands, await findStockUsage(db, storeId, demands, now))
}

/**
 * Reserves the units of the lines of a new session, which are released when it ends without a payment. Locks the stock of
 * their products until the transaction ends, so that the limits hold exactly.
 * @param demands with the recipients of all lines
 * @throws ServiceFault `validation-failed` with the item codes `product-out-of-stock` and `product-customer-limit`
 */
export async function reserveStock(
  tx: Transaction,
  { storeId, id, customerId }: Pick<CheckoutSession, 'storeId' | 'id' | 'customerId'>,
  demands: readonly (StockDemand & { position: number })[],
  now: Date,
): Promise<void> {
  await lockStock(tx, storeId, [...new Set(demands.map(({ productId }) => productId))])
  const violations = await findStockViolations(tx, storeId, demands, now)
  if (violations.length > 0) throw errors.validationFailed(violations)
  for (const demand of demands) {
    const { position, productId, quantity } = demand
    const recipient = demand.customerId ?? customerId
    insertStockReservation(tx, {
      storeId,
      checkoutId: id,
      position,
      productId,
      customerId: recipient,
      quantity,
      reservedAt: now,
    })
  }
}
