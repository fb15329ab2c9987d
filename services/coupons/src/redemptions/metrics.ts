import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../context.ts'
import type { LedgerAnswer } from './ledger.ts'

/** Counts what a move did, once it is committed; a repeated one, which did nothing, as `repeated`. */
export function countMove(ctx: Pick<AppContext, 'redemptionCounter'>, tx: Transaction, answer: LedgerAnswer): void {
  const { refusal, effect = 'repeated', expired = 0 } = answer
  const outcome = refusal === undefined ? effect : `refused_${refusal}`
  tx.afterCommit(() => {
    ctx.redemptionCounter.inc({ outcome })
    ctx.redemptionCounter.inc({ outcome: 'expired' }, expired)
  })
}
