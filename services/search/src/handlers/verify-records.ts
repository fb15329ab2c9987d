import { errors, violation } from '@storekeep/common/errors'
import { requireOperator } from '@storekeep/common/grpc'
import type { AppContext, SearchHandlers } from '../context.ts'
import { describeLive } from '../db/generation-repository.ts'
import { kinds } from '../kinds/index.ts'
import { verifyRange } from '../rebuild/verify.ts'

export function verifyRecords(ctx: AppContext): SearchHandlers['verifyRecords'] {
  return async ({ aggregate, after }, call) => {
    requireOperator(call)
    const kind = kinds.find(({ type }) => type === aggregate)
    if (!kind) {
      const known = kinds.map(({ type }) => type).join(', ')
      throw errors.validationFailed([violation('aggregate', 'enum', `must be one of ${known}`)])
    }
    const live = await describeLive(ctx.database)
    if (!live) throw errors.unavailable(new Error('There is no live index yet.'))
    const { checked, drifted, last } = await verifyRange(ctx, live.id, kind, after)
    return { checked: BigInt(checked), drifted: BigInt(drifted), ...(last && { last }) }
  }
}
