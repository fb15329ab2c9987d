import type { BanIdentity } from '../domain/ban.ts'

/** The identities to find, as column arrays for `unnest`, so the statement text does not depend on their number. */
export function identityColumns(identities: readonly BanIdentity[]): { types: string[]; values: string[] } {
  return { types: identities.map(({ type }) => type), values: identities.map(({ matchValue }) => matchValue) }
}
