import { errors, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'

/** @throws ServiceFault `validation-failed` naming `path` when `id` is not the text of a flake id */
export function requireFlakeId(path: string, id: string): string {
  if (id === '') throw errors.validationFailed([violation(path, 'required', 'is required')])
  if (!isFlakeId(id)) throw errors.validationFailed([violation(path, 'format', 'must be an id')])
  return id
}
