import { isFlakeId } from '@storekeep/proto/conventions/flake-id'
import { errors, violation } from '../errors/index.ts'

/**
 * Returns `id` if it is a flake id.
 * @throws ServiceFault `validation-failed` with a violation at `path` otherwise
 */
export function requireFlakeId(path: string, id: string): string {
  if (id === '') throw errors.validationFailed([violation(path, 'required', 'is required')])
  if (!isFlakeId(id)) throw errors.validationFailed([violation(path, 'format', 'must be an id')])
  return id
}
