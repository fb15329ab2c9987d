import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import type { Redemption, Rejection } from '../domain/redemption.ts'

/** What an operation of the ledger did. */
export interface RedemptionOutcome {
  /** Absent if the operation was rejected or the checkout has none. */
  redemption?: Redemption
  rejection?: Rejection
  /** Absent if nothing changed. `closed`: the checkout held nothing and can no longer reserve. */
  effect?: 'reserved' | 'confirmed' | 'released' | 'closed'
  /** How many expired reservations were ended to make room. */
  expired?: number
}

/** Counts the outcome once the transaction has committed; an operation that changed nothing counts as `repeated`. */
export function countOutcome(
  ctx: Pick<AppContext, 'redemptionCounter'>,
  tx: Transaction,
  { rejection, effect, expired = 0 }: RedemptionOutcome,
): void {
  const outcome = rejection === undefined ? (effect ?? 'repeated') : `refused_${rejection}`
  tx.afterCommit(() => {
    ctx.redemptionCounter.inc({ outcome })
    ctx.redemptionCounter.inc({ outcome: 'expired' }, expired)
  })
}
