import { isFlakeId } from '@storekeep/proto/conventions/flake-id'
import { errors, type Violation, violation } from '../errors/index.ts'

/**
 * Returns `id` if it is a flake id.
 * @throws ServiceFault `validation-failed` with a violation at `path` otherwise
 */
export function requireFlakeId(path: string, id: string): string {
  if (id === '') throw errors.validationFailed([violation(path, 'required', 'is required')])
  const found = idViolations(path, id)
  if (found.length > 0) throw errors.validationFailed(found)
  return id
}

/** The violation of an id that is given and malformed. */
export function idViolations(path: string, id: string | null | undefined): Violation[] {
  return id === null || id === undefined || isFlakeId(id) ? [] : [violation(path, 'format', 'must be an id')]
}
