import { errors, type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import { banLimits } from '@storekeep/proto/conventions/limits'
import type { BanState } from './ban.ts'
import { type IdentityInput, readIdentities } from './identity-input.ts'

/** The caller's input for a ban, not validated. */
export interface BanInput {
  reason?: string | undefined
  identities: readonly IdentityInput[]
  expiresAt?: Date | undefined
}

/**
 * Validates a new ban (contract section B, Bans).
 *
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkNewBan(input: BanInput, now: Date): BanState {
  const { reason = '', expiresAt = null } = input
  const { identities, violations } = readBanIdentities(input.identities)
  violations.push(...reasonViolations(reason))
  if (expiresAt !== null && expiresAt <= now) violations.push(violation('expires_at', 'min', 'must be in the future'))
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { reason, identities, expiresAt }
}

/** Like `readIdentities`, and requires at least one. */
export function readBanIdentities(inputs: readonly IdentityInput[]): ReturnType<typeof readIdentities> {
  if (inputs.length > 0) return readIdentities(inputs)
  return { identities: [], violations: [violation('identities', 'length', 'must have at least 1 item')] }
}

export function reasonViolations(reason: string): Violation[] {
  return textViolations('reason', reason, 0, banLimits.reasonLength)
}
