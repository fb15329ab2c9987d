import { errors, type Violation, violation } from '@storekeep/common/errors'
import { banLimits } from '@storekeep/proto/conventions/limits'
import { type BanIdentity, type BanType, banTypes } from './ban.ts'
import { expectedFormat, normalizeIdentity } from './normalize-identity.ts'

/** The caller's identity, not validated. */
export interface IdentityInput {
  /** "invalid" for a type that no ban can have. */
  type: BanType | 'invalid'
  value: string
}

/** Normalizes identities and drops duplicates. @returns a violation for every invalid one */
export function readIdentities(inputs: readonly IdentityInput[]): {
  identities: BanIdentity[]
  violations: Violation[]
} {
  if (inputs.length > banLimits.identities) {
    return {
      identities: [],
      violations: [violation('identities', 'length', `must have at most ${banLimits.identities} items`)],
    }
  }
  const read = inputs.map(readIdentity)
  const identities = new Map<string, BanIdentity>()
  for (const { identity } of read) {
    const key = `${identity?.type} ${identity?.matchValue}`
    if (identity && !identities.has(key)) identities.set(key, identity)
  }
  return { identities: [...identities.values()], violations: read.flatMap(({ violation }) => violation ?? []) }
}

/** Validates the identities of a CheckBan. @throws ServiceFault `validation-failed` naming every invalid one */
export function checkIdentities(inputs: readonly IdentityInput[]): BanIdentity[] {
  const { identities, violations } = readIdentities(inputs)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return identities
}

function readIdentity(
  { type, value }: IdentityInput,
  index: number,
): { identity?: BanIdentity; violation?: Violation } {
  const at = `identities.${index}`
  if (type === 'invalid') {
    return { violation: violation(`${at}.ban_type`, 'enum', `must be one of ${banTypes.join(', ')}`) }
  }
  const identity = normalizeIdentity(type, value)
  return identity
    ? { identity }
    : { violation: violation(`${at}.ban_type_value`, 'format', `must be ${expectedFormat(type)}`) }
}
