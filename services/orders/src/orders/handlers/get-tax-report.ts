import { requireStore } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import type { AppContext, OrderHandlers } from '../../context.ts'
import { selectTaxReport } from '../db/tax-report-repository.ts'
import { checkPeriod } from '../domain/tax-report.ts'

export function getTaxReport(ctx: AppContext): OrderHandlers['getTaxReport'] {
  return async ({ from, to, timeZone }, call) => {
    const period = checkPeriod({ from, to, timeZone })
    return { rows: (await selectTaxReport(ctx.database, requireStore(call), period)).map(present) }
  }
}
