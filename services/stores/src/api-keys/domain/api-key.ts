import { errors, type Violation, violation } from '@storekeep/common/errors'
import { apiKeyLimits } from '@storekeep/proto/conventions/limits'
import { nameViolation } from '../../stores/domain/store-details.ts'
import { isScope, type Scope, scopes } from './scope.ts'

/** Two allow rotation: issue the new key before revoking the old one. */
export const maxLiveKeys = apiKeyLimits.livePerStore

/** The caller's input for a new key, not validated. */
export interface ApiKeyInput {
  name: string
  /** Empty: every scope. */
  scopes: readonly string[]
  expiresAt: Date | undefined
}

/** A validated key. The limit of live keys per store is left to the database. */
export interface ApiKeyDraft {
  name: string
  /** Sorted, without duplicates. */
  scopes: readonly Scope[]
  expiresAt: Date | null
}

/** Validates a new key. @throws ServiceFault `validation-failed` naming every invalid field */
export function checkApiKey(input: ApiKeyInput, now: Date): ApiKeyDraft {
  const name = input.name.trim()
  const { expiresAt = null } = input
  const violations = [
    nameViolation(name),
    ...input.scopes.map(scopeViolation),
    expiresAt && !(expiresAt > now) ? violation('expires_at', 'min', 'must be in the future') : undefined,
    expiresAt && expiresAt > latest ? violation('expires_at', 'max', 'must be before the year 10000') : undefined,
  ].filter((one) => one !== undefined)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const chosen = input.scopes.length === 0 ? scopes : scopes.filter((scope) => input.scopes.includes(scope))
  return { name, scopes: chosen, expiresAt }
}

/** Only an active key may be used. */
export function keyState(key: { revokedAt: Date | null; expiresAt: Date | null }, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}

export type KeyState = 'active' | 'revoked' | 'expired'

const latest = new Date('9999-12-31T23:59:59.999Z')

function scopeViolation(scope: string, index: number): Violation | undefined {
  return isScope(scope) ? undefined : violation(`scopes.${index}`, 'enum', `must be one of ${scopes.join(', ')}`)
}
