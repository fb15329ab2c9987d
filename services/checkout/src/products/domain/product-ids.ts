import { errors, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { pageLimits } from '@storekeep/proto/conventions/limits'

/** Validates the id filter. @throws ServiceFault `validation-failed` naming every malformed id */
export function checkProductIds(ids: readonly string[]): readonly string[] | undefined {
  if (ids.length === 0) return undefined
  if (ids.length > pageLimits.max) {
    throw errors.validationFailed([violation('ids', 'max', `must be given at most ${pageLimits.max} times`)])
  }
  const wrong = ids.flatMap((id, index) => idViolations(`ids.${index}`, id))
  if (wrong.length > 0) throw errors.validationFailed(wrong)
  return ids
}
