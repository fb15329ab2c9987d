/** A customer of one store. Ids are decimal strings; null is "has none". */
export interface Customer {
  id: string
  storeId: string
  steamId: string | null
  /** As Steam tells it; null until it was looked up. */
  steamName: string | null
  steamAvatarUrl: string | null
  /** Dashed, lower-case. */
  minecraftUuid: string | null
  /** As Mojang tells it, or as typed at sign-in; null until known. */
  minecraftName: string | null
  minecraftAvatarUrl: string | null
  minecraftPlatform: MinecraftPlatform | null
  xboxXuid: string | null
  /** Set by the store, never filled in from a profile. */
  name: string | null
  metadata: Metadata
  /** Opens the customer in the direct flow; null unless that flow made it. */
  signInKey: string | null
}

/** What may change in a customer. */
export type CustomerState = Omit<Customer, 'id' | 'storeId'>

export type Metadata = Record<string, string>

export const minecraftPlatforms = ['unknown', 'java', 'bedrock'] as const
export type MinecraftPlatform = (typeof minecraftPlatforms)[number]

/** How a customer is shown. */
export interface Profile {
  id: string
  platform: 'steam' | 'minecraft' | 'service'
  name: string
  avatarUrl: string | null
}

/**
 * The profile that stands for the customer: its Steam account, else its Minecraft account, else itself. There always
 * is one; while the account was not looked up yet, the name that the store gave, or the id, stands in for its name.
 */
export function profileOf(customer: Customer): Profile {
  const { id, steamId, minecraftUuid, minecraftName, name } = customer
  if (steamId !== null) {
    const shown = customer.steamName ?? name ?? steamId
    return { id: steamId, platform: 'steam', name: shown, avatarUrl: customer.steamAvatarUrl }
  }
  const minecraftId = minecraftUuid ?? minecraftName
  if (minecraftId !== null) {
    const shown = minecraftName ?? name ?? minecraftId
    return { id: minecraftId, platform: 'minecraft', name: shown, avatarUrl: customer.minecraftAvatarUrl }
  }
  return { id, platform: 'service', name: name ?? id, avatarUrl: null }
}

/** Something that tells the customer from others; a customer without any must not be. */
export function hasIdentity(customer: Identities): boolean {
  const { steamId, minecraftUuid, xboxXuid, name, signInKey = null } = customer
  return [steamId, minecraftUuid, xboxXuid, name, signInKey].some((identity) => identity !== null)
}

type Identities = Pick<Customer, 'steamId' | 'minecraftUuid' | 'xboxXuid' | 'name'> &
  Partial<Pick<Customer, 'signInKey'>>
