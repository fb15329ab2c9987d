import type { CustomerState } from './customer.ts'

/** Looked-up accounts; undefined where none was found. */
export interface PlatformAccounts {
  steam: PlatformAccount | undefined
  minecraft: PlatformAccount | undefined
}

export interface PlatformAccount {
  /** SteamID64, or dashed lower-case UUID. */
  id: string
  name: string
  avatarUrl: string | null
}

/** The accounts of a customer; a name is null until looked up. */
export interface KnownAccounts {
  steamId: string | null
  steamName: string | null
  minecraftUuid: string | null
  minecraftName: string | null
  isBedrock: boolean
}

/** Returns the ids of accounts without a name that a provider can look up. */
export function accountsToLookUp(known: KnownAccounts): { steamId?: string; minecraftUuid?: string } {
  const { steamId, steamName, minecraftUuid, minecraftName, isBedrock } = known
  return {
    ...(steamId !== null && steamName === null && { steamId }),
    // Game servers generate the UUIDs of Bedrock players, so Mojang does not know them.
    ...(minecraftUuid !== null && minecraftName === null && !isBedrock && { minecraftUuid }),
  }
}

/**
 * Adds looked-up accounts to a customer. Ignores accounts that have changed since the lookup or already have a name.
 * @returns undefined when nothing changes
 */
export function completedWith(
  customer: CustomerState,
  { steam, minecraft }: PlatformAccounts,
): CustomerState | undefined {
  const filled: Partial<CustomerState> = {}
  if (steam && customer.steamName === null && customer.steamId === steam.id) {
    Object.assign(filled, { steamName: steam.name, steamAvatarUrl: steam.avatarUrl })
  }
  if (minecraft && customer.minecraftName === null && customer.minecraftUuid === minecraft.id) {
    const { name: minecraftName, avatarUrl: minecraftAvatarUrl } = minecraft
    // Mojang knows only the UUIDs of Java accounts.
    const minecraftPlatform = customer.minecraftPlatform ?? 'java'
    Object.assign(filled, { minecraftName, minecraftAvatarUrl, minecraftPlatform })
  }
  return Object.keys(filled).length === 0 ? undefined : { ...customer, ...filled }
}
