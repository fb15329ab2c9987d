import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import type { Redemption, Refusal } from '../domain/redemption.ts'

/** What an operation of the ledger did. */
export interface LedgerOutcome {
  /** Absent if the operation was refused or the checkout has none. */
  redemption?: Redemption
  refusal?: Refusal
  /** Absent if nothing changed. `closed`: the checkout held nothing and can no longer reserve. */
  effect?: 'reserved' | 'confirmed' | 'released' | 'closed'
  /** How many expired reservations were ended to make room. */
  expired?: number
}

/** Counts the outcome once the transaction has committed; an operation that changed nothing counts as `repeated`. */
export function countOutcome(
  ctx: Pick<AppContext, 'redemptionCounter'>,
  tx: Transaction,
  { refusal, effect, expired = 0 }: LedgerOutcome,
): void {
  const outcome = refusal === undefined ? (effect ?? 'repeated') : `refused_${refusal}`
  tx.afterCommit(() => {
    ctx.redemptionCounter.inc({ outcome })
    ctx.redemptionCounter.inc({ outcome: 'expired' }, expired)
  })
}
