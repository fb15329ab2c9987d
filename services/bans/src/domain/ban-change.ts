import { isDeepStrictEqual } from 'node:util'
import { errors, type Violation } from '@storekeep/common/errors'
import type { BanState } from './ban.ts'
import { type BanInput, readOwnIdentities, reasonViolations } from './ban-draft.ts'

/** The members that a PATCH names, checked. */
export type BanChange = Partial<BanState>

/**
 * The change that a request asks for. Members outside the mask are not looked at; of those inside, `reason` and
 * `expires_at` are cleared when they are absent. A time that has passed ends the ban.
 * @throws ServiceFault `validation-failed` naming every wrong member
 */
export function checkChange(input: BanInput, mask: readonly string[]): BanChange {
  const change: BanChange = {}
  const violations: Violation[] = []
  for (const path of new Set(mask)) {
    switch (path) {
      case 'reason':
        change.reason = input.reason ?? ''
        violations.push(...reasonViolations(change.reason))
        break
      case 'identities': {
        const read = readOwnIdentities(input.identities)
        change.identities = read.identities
        violations.push(...read.violations)
        break
      }
      case 'expires_at':
        change.expiresAt = input.expiresAt ?? null
        break
      default:
        throw errors.badRequest(`The field mask names "${path}", which cannot be changed.`)
    }
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return change
}

/** The ban after the change, undefined when that is no other than before. */
export function applyChange({ reason, identities, expiresAt }: BanState, change: BanChange): BanState | undefined {
  const before = { reason, identities, expiresAt }
  const after = { ...before, ...change }
  return isDeepStrictEqual(after, before) ? undefined : after
}
