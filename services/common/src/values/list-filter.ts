import { errors, violation } from '../errors/index.ts'
import { idViolations } from '../flake/index.ts'

/**
 * Checks what the filters of many lists have in common: a status, for which `invalid` stands for any unknown one, and ids by
 * the names of their fields.
 *
 * @returns the status
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkListFilter<S extends string>(
  statuses: readonly S[],
  status: S | 'invalid' | undefined,
  ids: Readonly<Record<string, string | undefined>> = {},
): S | undefined {
  const known = statuses.find((one) => one === status)
  const violations = known === status ? [] : [violation('status', 'enum', `must be one of ${statuses.join(', ')}`)]
  violations.push(...Object.entries(ids).flatMap(([path, id]) => idViolations(path, id)))
  if (violations.length > 0) throw errors.validationFailed(violations)
  return known
}
