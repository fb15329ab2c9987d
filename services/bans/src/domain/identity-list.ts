import { errors, type Violation, violation } from '@storekeep/common/errors'
import { type BanIdentity, type BanType, banTypes } from './ban.ts'
import { expectedForm, normalizeIdentity } from './normal-forms.ts'

/** An identity as a caller gives it; nothing in it has been checked. */
export interface IdentityInput {
  /** "invalid" when it is none that a ban can be of. */
  type: BanType | 'invalid'
  value: string
}

/** More than any customer has; what a check asks for stays one look-up. */
const maxIdentities = 100

/** The identities, those that occurred before left out, or what is wrong with each that is none. */
export function readIdentities(inputs: readonly IdentityInput[]): {
  identities: BanIdentity[]
  violations: Violation[]
} {
  if (inputs.length > maxIdentities) {
    return {
      identities: [],
      violations: [violation('identities', 'length', `must have at most ${maxIdentities} items`)],
    }
  }
  const read = inputs.map(readIdentity)
  const identities = new Map<string, BanIdentity>()
  for (const { identity } of read) {
    const key = `${identity?.type} ${identity?.matchValue}`
    if (identity && !identities.has(key)) identities.set(key, identity)
  }
  return { identities: [...identities.values()], violations: read.flatMap(({ wrong }) => wrong ?? []) }
}

/**
 * The identities that a check asks for.
 * @throws ServiceFault `validation-failed` naming each that is none
 */
export function checkIdentities(inputs: readonly IdentityInput[]): BanIdentity[] {
  const { identities, violations } = readIdentities(inputs)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return identities
}

function readIdentity({ type, value }: IdentityInput, index: number): { identity?: BanIdentity; wrong?: Violation } {
  const at = `identities.${index}`
  if (type === 'invalid') {
    return { wrong: violation(`${at}.ban_type`, 'enum', `must be one of ${banTypes.join(', ')}`) }
  }
  const identity = normalizeIdentity(type, value)
  return identity
    ? { identity }
    : { wrong: violation(`${at}.ban_type_value`, 'format', `must be ${expectedForm(type)}`) }
}
