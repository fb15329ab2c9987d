/** A ban in one store. Ids are decimal strings; null is "has none". */
export interface Ban extends BanState {
  id: string
  storeId: string
}

/** What may change in a ban. */
export interface BanState {
  /** For the store's staff; "" when none was given. */
  reason: string
  /** At least one, and none twice. */
  identities: readonly BanIdentity[]
  /** Null for a permanent ban. */
  expiresAt: Date | null
}

/** One thing that a banned person is recognised by. */
export interface BanIdentity {
  type: BanType
  /** As it is shown. */
  value: string
  /** Two identities of a type are the same when this is. */
  matchValue: string
}

export const banTypes = ['steam', 'ip', 'customer', 'customer_name', 'email', 'minecraft_uuid', 'xbox_xuid'] as const
export type BanType = (typeof banTypes)[number]

/** A ban ends by itself at the moment that it was given; no job has to come round. */
export function isEnabled({ expiresAt }: Pick<BanState, 'expiresAt'>, now: Date): boolean {
  return expiresAt === null || expiresAt > now
}
