import type { CustomerState } from './customer.ts'

/** Accounts as their platforms told us; undefined where nothing was found. */
export interface LookedUpAccounts {
  steam: LookedUpAccount | undefined
  minecraft: LookedUpAccount | undefined
}

export interface LookedUpAccount {
  /** Steam ID 64, or dashed lower-case uuid. */
  id: string
  name: string
  avatarUrl: string | null
}

/** A customer's accounts, as far as they are known; null for a name that was not looked up yet. */
export interface KnownAccounts {
  steamId: string | null
  steamName: string | null
  minecraftUuid: string | null
  minecraftName: string | null
  isBedrock: boolean
}

/** The accounts of which nothing but the id is known, and that somebody can be asked about. */
export function missingAccounts(known: KnownAccounts): { steamId?: string; minecraftUuid?: string } {
  const { steamId, steamName, minecraftUuid, minecraftName, isBedrock } = known
  return {
    ...(steamId !== null && steamName === null && { steamId }),
    // Bedrock players have uuids of their servers' making, which nobody knows.
    ...(minecraftUuid !== null && minecraftName === null && !isBedrock && { minecraftUuid }),
  }
}

/**
 * The customer with what was found out about its accounts, undefined when that is nothing new. Only fills gaps: an
 * account that changed since the look-up, and one that is known already, stay as they are.
 */
export function withAccounts(
  customer: CustomerState,
  { steam, minecraft }: LookedUpAccounts,
): CustomerState | undefined {
  const filled: Partial<CustomerState> = {}
  if (steam && customer.steamName === null && customer.steamId === steam.id) {
    Object.assign(filled, { steamName: steam.name, steamAvatarUrl: steam.avatarUrl })
  }
  if (minecraft && customer.minecraftName === null && customer.minecraftUuid === minecraft.id) {
    const { name: minecraftName, avatarUrl: minecraftAvatarUrl } = minecraft
    // Only Java accounts have a uuid that Mojang knows.
    const minecraftPlatform = customer.minecraftPlatform ?? 'java'
    Object.assign(filled, { minecraftName, minecraftAvatarUrl, minecraftPlatform })
  }
  return Object.keys(filled).length === 0 ? undefined : { ...customer, ...filled }
}
