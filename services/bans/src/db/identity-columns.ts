import { foldText } from '@storekeep/proto/conventions/folded-text'
import type { BanIdentity } from '../domain/ban.ts'
import { isTyped } from '../domain/normalize-identity.ts'

/**
 * The identities to find, as column arrays for `unnest`, so the statement text does not depend on their number. Typed values are
 * also found as the previous release stored them, until `refoldIdentities` has reached them.
 */
export function identityColumns(identities: readonly BanIdentity[]): { types: string[]; values: string[] } {
  const rows = identities.flatMap(({ type, value, matchValue }) => {
    const values = new Set(isTyped(type) ? [matchValue, foldText(value)] : [matchValue])
    return [...values].map((one) => ({ type, value: one }))
  })
  return { types: rows.map(({ type }) => type), values: rows.map(({ value }) => value) }
}
