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
  /** The key of the typed name that signs in as this customer; null unless the customer is claimed, see `isClaimed`. */
  signInKey: string | null
}

/** The mutable part of a customer. */
export type CustomerState = Omit<Customer, 'id' | 'storeId'>

/**
 * True for a customer that is known only by a typed name, which anyone can type. A claimed customer has none of the ids that a
 * store verifies. It becomes verified permanently when the store gives it such an id (decision 0021).
 */
export function isClaimed({ signInKey }: Pick<Customer, 'signInKey'>): boolean {
  return signInKey !== null
}

/** True if the customer has an id that only the store can set, after verifying it. */
export function hasVerifiedId(ids: Pick<Customer, 'steamId' | 'minecraftUuid' | 'xboxXuid'>): boolean {
  return [ids.steamId, ids.minecraftUuid, ids.xboxXuid].some((id) => id !== null)
}

/** The part of a claimed customer that its tokens may read: nothing that the store wrote (decision 0021). */
export function visibleToClaimant<C extends Customer>(customer: C): C {
  return { ...customer, name: null, metadata: {} }
}

export type Metadata = Record<string, string>

export const minecraftPlatforms = ['unknown', 'java', 'bedrock'] as const
export type MinecraftPlatform = (typeof minecraftPlatforms)[number]

export interface Profile {
  id: string
  platform: 'steam' | 'minecraft' | 'service'
  name: string
  avatarUrl: string | null
  /** True for a typed name that no one has verified. */
  claimed: boolean
}

/**
 * The profile displayed for a customer (contract section B, Customers): the Steam account, else the Minecraft account,
 * else the customer itself. Until an account is looked up, its name falls back to the customer's name or the account id. The
 * profile of a claimed customer is the typed name.
 */
export function profileOf(customer: Customer): Profile {
  const { id, steamId, minecraftUuid, minecraftName, name } = customer
  const claimed = isClaimed(customer)
  if (steamId !== null) {
    const displayName = customer.steamName ?? name ?? steamId
    return { id: steamId, platform: 'steam', name: displayName, avatarUrl: customer.steamAvatarUrl, claimed }
  }
  const minecraftId = minecraftUuid ?? minecraftName
  if (minecraftId !== null) {
    const displayName = minecraftName ?? name ?? minecraftId
    return {
      id: minecraftId,
      platform: 'minecraft',
      name: displayName,
      avatarUrl: customer.minecraftAvatarUrl,
      claimed,
    }
  }
  return { id, platform: 'service', name: name ?? id, avatarUrl: null, claimed }
}

/** Every customer needs at least one identity. */
export function hasIdentity(customer: Identities): boolean {
  const { name, signInKey = null } = customer
  return hasVerifiedId(customer) || name !== null || signInKey !== null
}

type Identities = Pick<Customer, 'steamId' | 'minecraftUuid' | 'xboxXuid' | 'name'> &
  Partial<Pick<Customer, 'signInKey'>>
