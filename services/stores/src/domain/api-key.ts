import { errors, type Violation, violation } from '@storekeep/common/errors'
import { apiKeyLimits } from '@storekeep/proto/conventions/limits'
import { isScope, type Scope, scopes } from './scope.ts'
import { nameViolation } from './store.ts'

/** Two, so that a new key can be handed out before the old one is revoked; more would only be forgotten. */
export const maxLiveKeys = apiKeyLimits.livePerStore

/** What a caller may say of a new key; nothing in it has been checked. */
export interface ApiKeyInput {
  name: string
  /** None: all there are. */
  scopes: readonly string[]
  expiresAt: Date | undefined
}

/** A key that keeps every rule but the number of live keys of its store, which only the table can tell. */
export interface ApiKeyDraft {
  name: string
  /** Sorted, each once. */
  scopes: readonly Scope[]
  expiresAt: Date | null
}

/**
 * The one way to an ApiKeyDraft.
 * @throws ServiceFault `validation-failed` naming every wrong member
 */
export function checkApiKey(input: ApiKeyInput, now: Date): ApiKeyDraft {
  const name = input.name.trim()
  const { expiresAt = null } = input
  const violations = [
    nameViolation(name),
    ...input.scopes.map(scopeViolation),
    expiresAt && !(expiresAt > now) ? violation('expires_at', 'min', 'must lie in the future') : undefined,
    expiresAt && expiresAt > latest ? violation('expires_at', 'max', 'must lie before the year 10000') : undefined,
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
