import { isDeepStrictEqual } from 'node:util'
import { errors, type Violation } from '@storekeep/common/errors'
import type { BanState } from './ban.ts'
import { type BanInput, readBanIdentities, reasonViolations } from './ban-draft.ts'

/** The validated fields of a PATCH. */
export type BanChange = Partial<BanState>

/**
 * Validates the fields named in the mask and ignores the others. An absent `reason` or `expires_at` clears the field. An
 * `expires_at` in the past ends the ban.
 *
 * @throws ServiceFault `validation-failed` naming every invalid field
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
        const read = readBanIdentities(input.identities)
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

/** @returns the ban after the change; undefined when nothing changes */
export function applyChange({ reason, identities, expiresAt }: BanState, change: BanChange): BanState | undefined {
  const before = { reason, identities, expiresAt }
  const after = { ...before, ...change }
  return isDeepStrictEqual(after, before) ? undefined : after
}
