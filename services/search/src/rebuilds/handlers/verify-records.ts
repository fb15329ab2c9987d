import { errors, violation } from '@storekeep/common/errors'
import type { AppContext, SearchHandlers } from '../../context.ts'
import { recordTypes } from '../../documents/mappers/record-types/index.ts'
import { verifyRange } from '../tasks/verify-index.ts'
import { verifyLive } from '../tasks/verify-live.ts'

export function verifyRecords(ctx: AppContext): SearchHandlers['verifyRecords'] {
  return async ({ aggregate, after }) => {
    const recordType = recordTypes.find(({ type }) => type === aggregate)
    if (!recordType) {
      const known = recordTypes.map(({ type }) => type).join(', ')
      throw errors.validationFailed([violation('aggregate', 'enum', `must be one of ${known}`)])
    }
    const verify = () => verifyLive(ctx, (generation) => verifyRange(ctx, generation, recordType, after))
    // Again if a rebuild has replaced the index meanwhile.
    const verified = (await verify()) ?? (await verify())
    if (!verified) throw errors.unavailable(new Error('There is no live index yet.'))
    const { checked, drifted, last } = verified
    return { checked: BigInt(checked), drifted: BigInt(drifted), ...(last && { last }) }
  }
}
