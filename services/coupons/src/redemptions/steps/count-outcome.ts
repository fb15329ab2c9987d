import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import type { CountedOutcome, RedemptionOutcome } from '../domain/outcome.ts'

/** Counts the outcome once the transaction has committed. */
export function countOutcome(
  ctx: Pick<AppContext, 'redemptionCounter'>,
  tx: Transaction,
  { rejection, effect, expired = 0 }: RedemptionOutcome,
): void {
  const outcome: CountedOutcome = rejection === undefined ? (effect ?? 'repeated') : `rejected_${rejection}`
  tx.afterCommit(() => {
    ctx.redemptionCounter.inc({ outcome })
    ctx.redemptionCounter.inc({ outcome: 'expired' }, expired)
  })
}
