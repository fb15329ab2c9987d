import { errors, type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import type { BanState } from './ban.ts'
import { type IdentityInput, readIdentities } from './identity-list.ts'

/** What a caller may say of a ban; nothing in it has been checked. An absent member is unset. */
export interface BanInput {
  reason?: string | undefined
  identities: readonly IdentityInput[]
  expiresAt?: Date | undefined
}

/**
 * The one way to a new ban.
 * @throws ServiceFault `validation-failed` naming every wrong member
 */
export function checkNewBan(input: BanInput, now: Date): BanState {
  const { reason = '', expiresAt = null } = input
  const { identities, violations } = readOwnIdentities(input.identities)
  violations.push(...reasonViolations(reason))
  if (expiresAt !== null && expiresAt <= now) violations.push(violation('expires_at', 'min', 'must lie ahead'))
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { reason, identities, expiresAt }
}

/** The identities of a ban, which has to have one. */
export function readOwnIdentities(inputs: readonly IdentityInput[]): ReturnType<typeof readIdentities> {
  if (inputs.length > 0) return readIdentities(inputs)
  return { identities: [], violations: [violation('identities', 'length', 'must have at least 1 item')] }
}

export function reasonViolations(reason: string): Violation[] {
  return textViolations('reason', reason, 0, maxReasonLength)
}

const maxReasonLength = 1000
