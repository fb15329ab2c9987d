import { errors, violation } from '@storekeep/common/errors'
import type { AppContext, SearchHandlers } from '../../context.ts'
import { recordTypes } from '../../record-types/index.ts'
import { findLiveGeneration } from '../db/generation-repository.ts'
import { verifyRange } from '../tasks/verify-index.ts'

export function verifyRecords(ctx: AppContext): SearchHandlers['verifyRecords'] {
  return async ({ aggregate, after }) => {
    const recordType = recordTypes.find(({ type }) => type === aggregate)
    if (!recordType) {
      const known = recordTypes.map(({ type }) => type).join(', ')
      throw errors.validationFailed([violation('aggregate', 'enum', `must be one of ${known}`)])
    }
    const live = await findLiveGeneration(ctx.database)
    if (!live) throw errors.unavailable(new Error('There is no live index yet.'))
    const { checked, drifted, last } = await verifyRange(ctx, live.id, recordType, after)
    return { checked: BigInt(checked), drifted: BigInt(drifted), ...(last && { last }) }
  }
}
