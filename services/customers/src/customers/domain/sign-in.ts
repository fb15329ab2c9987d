import { errors, type Violation, violation } from '@storekeep/common/errors'
import { foldText } from '@storekeep/proto/conventions/folded-text'

/** A player named in the direct flow, where anyone can type any name. */
export interface TypedPlayer {
  edition: 'java' | 'bedrock'
  /** As typed, without the Bedrock prefix. */
  name: string
  /** Identifies the player within the store; the same for every spelling of the name. */
  signInKey: string
  /** Only online-mode Java servers verify their players with Mojang. */
  isVerifiedByMojang: boolean
}

/** The part of a store that affects sign-in. */
export interface SignInStore {
  /** Undefined for games without the direct flow. */
  game: 'minecraft' | 'minecraft_offline' | 'minecraft_geyser' | undefined
  /** Marks Bedrock names; used by Geyser stores only. */
  bedrockPrefix: string
}

/**
 * Validates the platform independently of the store.
 * @throws ServiceFault `validation-failed` for an unknown platform, `platform-not-allowed` for a server-side one
 */
export function checkPlatform(platform: string): SignInPlatform {
  const accepted = signInPlatforms.find((one) => one === platform)
  if (accepted) return accepted
  if (serverSidePlatforms.includes(platform)) {
    throw errors.platformNotAllowed('This platform must use the server-side sign-in flow.')
  }
  const known = [...signInPlatforms, ...serverSidePlatforms]
  throw errors.validationFailed([
    platform === ''
      ? violation('platform', 'required', 'is required')
      : violation('platform', 'enum', `must be one of ${known.join(', ')}`),
  ])
}

/**
 * Resolves a typed name to a player of the store.
 * @throws ServiceFault `platform-not-allowed` when the store's game lacks the flow, `validation-failed` for an invalid name
 */
export function checkPlayer(platform: NamePlatform, id: string, store: SignInStore): TypedPlayer {
  if (store.game === undefined)
    throw errors.platformNotAllowed('The game of this store does not support this sign-in flow.')
  const { edition, name } = readTypedName(platform, id, store)
  const invalid = edition === 'bedrock' ? gamertagViolation(name) : javaNameViolation(name)
  if (invalid) throw errors.validationFailed([invalid])
  return {
    edition,
    name,
    signInKey: signInKeyOf(platform, id, store),
    isVerifiedByMojang: edition === 'java' && store.game === 'minecraft',
  }
}

/** @returns the key of the player, the same for every spelling; accepts invalid names, too */
export function signInKeyOf(platform: string, id: string, store: SignInStore): string {
  const { edition, name } = readTypedName(platform, id, store)
  return `${edition}:${foldText(name.trim())}`
}

/** Contract section B, Storefront: on Geyser stores the store's prefix marks a Bedrock player and is stripped. */
function readTypedName(platform: string, id: string, store: SignInStore): Pick<TypedPlayer, 'edition' | 'name'> {
  const hasPrefix = store.game === 'minecraft_geyser' && id.startsWith(store.bedrockPrefix)
  const isBedrock = platform === 'minecraft_bedrock_name' || (platform === 'minecraft' && hasPrefix)
  if (!isBedrock) return { edition: 'java', name: id }
  return { edition: 'bedrock', name: hasPrefix ? id.slice(store.bedrockPrefix.length) : id }
}

/** The platforms whose ids are typed names. */
export const namePlatforms = ['minecraft', 'minecraft_java_name', 'minecraft_bedrock_name'] as const
const signInPlatforms = [...namePlatforms, 'minecraft_uuid'] as const
const serverSidePlatforms = ['steam', 'xbox_xuid']

type SignInPlatform = (typeof signInPlatforms)[number]
export type NamePlatform = (typeof namePlatforms)[number]

function javaNameViolation(name: string): Violation | undefined {
  if (name === '') return violation('id', 'required', 'is required')
  return /^[A-Za-z0-9_]{2,16}$/.test(name) ? undefined : violation('id', 'pattern', 'must be a Minecraft Java name')
}

function gamertagViolation(name: string): Violation | undefined {
  const { length } = [...name]
  if (length < 1 || length > 32) return violation('id', 'length', 'must be a gamertag of 1 to 32 characters')
  const usable = name === name.trim() && !/\p{C}/u.test(name)
  return usable ? undefined : violation('id', 'pattern', 'must be a gamertag')
}
