import { errors, type Violation } from '@storekeep/common/errors'
import type { Queryable, Transaction } from '@storekeep/common/postgres'
import {
  deleteStockReservations,
  findStockUsage,
  insertStockReservation,
  lockStock,
} from '../../products/db/stock-repository.ts'
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
  insertReservations(tx, { storeId, id, customerId }, demands, now)
}

/**
 * Replaces the units that a session has reserved, under the same locks. Only lines that ask for more than before are checked.
 * @param before the session before the change
 * @param demands of the changed session
 * @param grown the indexes of its lines with more units
 * @throws ServiceFault like `reserveStock`
 */
export async function replaceStock(
  tx: Transaction,
  before: CheckoutSession,
  { demands, grown }: { demands: readonly (StockDemand & { position: number })[]; grown: ReadonlySet<number> },
  now: Date,
): Promise<void> {
  const { storeId } = before
  const held = before.lines.flatMap(({ productId, rules }) => (rules?.isCounted && productId) || [])
  // Together, because every transaction locks products in the order of their ids.
  await lockStock(tx, storeId, [...new Set([...held, ...demands.map(({ productId }) => productId)])])
  await deleteStockReservations(tx, [before])
  const violations = await findStockViolations(tx, storeId, demands, now)
  const wanted = new Set(demands.flatMap(({ at, position }) => (grown.has(position - 1) ? [at] : [])))
  const rejected = violations.filter(({ path }) => wanted.has(path))
  if (rejected.length > 0) throw errors.validationFailed(rejected)
  insertReservations(tx, before, demands, now)
}

function insertReservations(
  tx: Transaction,
  { storeId, id, customerId }: Pick<CheckoutSession, 'storeId' | 'id' | 'customerId'>,
  demands: readonly (StockDemand & { position: number })[],
  now: Date,
): void {
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
