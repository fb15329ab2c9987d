/** A customer of one store. Ids are decimal strings; null means unset. */
export interface Customer {
  id: string
  storeId: string
  steamId: string | null
  /** From Steam; null until looked up. */
  steamName: string | null
  steamAvatarUrl: string | null
  /** Dashed, lower-case. */
  minecraftUuid: string | null
  /** From Mojang, or as typed at sign-in; null until known. */
  minecraftName: string | null
  minecraftAvatarUrl: string | null
  minecraftPlatform: MinecraftPlatform | null
  xboxXuid: string | null
  /** Set by the store, never filled in from a profile. */
  name: string | null
  metadata: Metadata
  /** Finds the customer in the direct flow; null unless that flow created it. */
  signInKey: string | null
}

/** The mutable part of a customer. */
export type CustomerState = Omit<Customer, 'id' | 'storeId'>

export type Metadata = Record<string, string>

export const minecraftPlatforms = ['unknown', 'java', 'bedrock'] as const
export type MinecraftPlatform = (typeof minecraftPlatforms)[number]

export interface Profile {
  id: string
  platform: 'steam' | 'minecraft' | 'service'
  name: string
  avatarUrl: string | null
}

/**
 * The profile displayed for a customer (contract section B, Customers): the Steam account, else the Minecraft account,
 * else the customer itself. Until an account is looked up, its name falls back to the customer's name or the account id.
 */
export function profileOf(customer: Customer): Profile {
  const { id, steamId, minecraftUuid, minecraftName, name } = customer
  if (steamId !== null) {
    const displayName = customer.steamName ?? name ?? steamId
    return { id: steamId, platform: 'steam', name: displayName, avatarUrl: customer.steamAvatarUrl }
  }
  const minecraftId = minecraftUuid ?? minecraftName
  if (minecraftId !== null) {
    const displayName = minecraftName ?? name ?? minecraftId
    return { id: minecraftId, platform: 'minecraft', name: displayName, avatarUrl: customer.minecraftAvatarUrl }
  }
  return { id, platform: 'service', name: name ?? id, avatarUrl: null }
}

/** Every customer needs at least one identity. */
export function hasIdentity(customer: Identities): boolean {
  const { steamId, minecraftUuid, xboxXuid, name, signInKey = null } = customer
  return [steamId, minecraftUuid, xboxXuid, name, signInKey].some((identity) => identity !== null)
}

type Identities = Pick<Customer, 'steamId' | 'minecraftUuid' | 'xboxXuid' | 'name'> &
  Partial<Pick<Customer, 'signInKey'>>
