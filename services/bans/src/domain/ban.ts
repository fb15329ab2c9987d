/** A ban in one store. Ids are decimal strings; null means unset. */
export interface Ban extends BanState {
  id: string
  storeId: string
}

/** The mutable part of a ban. */
export interface BanState {
  /** Internal to the store; "" when unset. */
  reason: string
  /** At least one, without duplicates. */
  identities: readonly BanIdentity[]
  /** Null for a permanent ban. */
  expiresAt: Date | null
}

export interface BanIdentity {
  type: BanType
  /** As displayed. */
  value: string
  /** Two identities of a type are equal when this is. See `normalizeIdentity`. */
  matchValue: string
}

export const banTypes = ['steam', 'ip', 'customer', 'customer_name', 'email', 'minecraft_uuid', 'xbox_xuid'] as const
export type BanType = (typeof banTypes)[number]

/** Bans expire by comparison with the clock; no job is involved. */
export function isEnabled({ expiresAt }: Pick<BanState, 'expiresAt'>, now: Date): boolean {
  return expiresAt === null || expiresAt > now
}
