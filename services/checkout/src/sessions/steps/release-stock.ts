import type { Transaction } from '@storekeep/common/postgres'
import { deleteStockReservations } from '../../products/db/stock-repository.ts'
import type { SessionRow } from '../db/schema.ts'

/** Releases the units that sessions hold which end without a payment. Does nothing if they hold none. */
export async function releaseStock(tx: Transaction, sessions: readonly SessionRow[]): Promise<void> {
  const holding = sessions.filter(({ lines }) => lines.some(({ rules }) => rules?.isCounted))
  if (holding.length > 0) await deleteStockReservations(tx, holding)
}
