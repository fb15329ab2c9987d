import type { BanIdentity } from '../domain/ban.ts'

/** Identities as arrays for `unnest`, which takes any number of them in one statement of always the same text. */
export function identityArrays(identities: readonly BanIdentity[]): { types: string[]; values: string[] } {
  return {
    types: identities.map(({ type }) => type),
    values: identities.map(({ matchValue }) => matchValue),
  }
}
