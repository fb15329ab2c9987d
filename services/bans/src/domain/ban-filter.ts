import { errors, type Violation, violation } from '@storekeep/common/errors'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import { type BanIdentity, type BanType, banTypes } from './ban.ts'
import { reasonViolations } from './ban-draft.ts'
import { expectedForm, normalizeIdentity } from './normal-forms.ts'

/** What a caller asks a list for; nothing in it has been checked. An absent member restricts nothing. */
export interface FilterInput {
  /** "invalid" when no ban can be of it. */
  type?: BanType | 'invalid' | undefined
  value?: string | undefined
  reason?: string | undefined
}

/** Which bans are listed. */
export interface BanFilter {
  /** Bans with an identity of this type, or with one of these identities; none of them: no ban. */
  identity: BanType | readonly BanIdentity[] | undefined
  /** Folded; a part of the reason. */
  partOfReason: string | undefined
}

/** @throws ServiceFault `validation-failed` naming every wrong filter */
export function checkFilter({ type, value, reason = '' }: FilterInput): BanFilter {
  const violations = [...valueViolations(type, value), ...reasonViolations(reason)]
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { identity: identityOf(type, value), partOfReason: reason === '' ? undefined : foldText(reason) }
}

/** A value alone may be of several types: digits are an xuid, perhaps a Steam ID, and a name. */
function identityOf(type: FilterInput['type'], value: string | undefined): BanFilter['identity'] {
  if (type === 'invalid') return []
  if (value === undefined) return type
  const types = type === undefined ? banTypes : [type]
  return types.map((one) => normalizeIdentity(one, value)).filter((identity) => identity !== undefined)
}

function valueViolations(type: FilterInput['type'], value: string | undefined): Violation[] {
  if (type === undefined || type === 'invalid' || value === undefined) return []
  if (normalizeIdentity(type, value)) return []
  return [violation('ban_type_value', 'format', `must be ${expectedForm(type)}`)]
}
