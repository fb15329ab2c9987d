import { errors, type Violation, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'

/** A filter as requested: `invalid` is an unknown status. */
export type FilterInput<F extends { status: string | undefined }> = Omit<F, 'status'> & {
  status: F['status'] | 'invalid'
}

/**
 * Checks what the filters of all lists have in common.
 * @returns the status, and the email address normalized by `parseEmailAddress`
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkFilter<S extends string>(
  statuses: readonly S[],
  { status, email }: { status: S | 'invalid' | undefined; email?: string | undefined },
  ids: Readonly<Record<string, string | undefined>>,
): { status: S | undefined; email: string | undefined } {
  const violations: Violation[] = []
  const known = statuses.find((one) => one === status)
  if (known !== status) violations.push(violation('status', 'enum', `must be one of ${statuses.join(', ')}`))
  for (const [path, id] of Object.entries(ids)) violations.push(...idViolations(path, id))
  const parsed = email === undefined ? undefined : parseEmailAddress(email)
  if (email !== undefined && parsed === undefined) {
    violations.push(violation('billing_email', 'format', 'must be an email address'))
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { status: known, email: parsed }
}
