import { errors, type Violation, violation } from '@storekeep/common/errors'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import { type BanIdentity, type BanType, banTypes } from './ban.ts'
import { reasonViolations } from './ban-draft.ts'
import { expectedFormat, normalizeIdentity } from './normalize-identity.ts'

/** The caller's list filters, not validated. An absent filter matches every ban. */
export interface FilterInput {
  /** "invalid" for a type that no ban can have. */
  type?: BanType | 'invalid' | undefined
  value?: string | undefined
  reason?: string | undefined
}

export interface BanFilter {
  /** Matches bans with an identity of this type, or with any of these identities. An empty list matches no ban. */
  identity: BanType | readonly BanIdentity[] | undefined
  /** Case-folded. */
  reasonSubstring: string | undefined
}

/** @throws ServiceFault `validation-failed` naming every invalid filter */
export function checkBanFilter({ type, value, reason = '' }: FilterInput): BanFilter {
  const violations = [...valueViolations(type, value), ...reasonViolations(reason)]
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { identity: identityOf(type, value), reasonSubstring: reason === '' ? undefined : foldText(reason) }
}

/** A value without a type is tried as every type: digits can be an XUID, a SteamID64 and a name. */
function identityOf(type: FilterInput['type'], value: string | undefined): BanFilter['identity'] {
  if (type === 'invalid') return []
  if (value === undefined) return type
  const types = type === undefined ? banTypes : [type]
  return types.map((one) => normalizeIdentity(one, value)).filter((identity) => identity !== undefined)
}

function valueViolations(type: FilterInput['type'], value: string | undefined): Violation[] {
  if (type === undefined || type === 'invalid' || value === undefined) return []
  if (normalizeIdentity(type, value)) return []
  return [violation('ban_type_value', 'format', `must be ${expectedFormat(type)}`)]
}
