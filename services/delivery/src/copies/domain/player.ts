import { createHash } from 'node:crypto'
import { foldText } from '@storekeep/proto/conventions/folded-text'

/** The identities of a customer. Ids are decimal strings; null means unknown. */
export interface Player {
  storeId: string
  customerId: string
  /** Set by the store. */
  name: string | null
  /** Whether the shopper typed the Minecraft name, so that anyone can have it. */
  claimed: boolean
  steamId: string | null
  steamName: string | null
  /** With hyphens. */
  minecraftUuid: string | null
  /** Without the prefix of Geyser. */
  minecraftName: string | null
  /** Whether the Minecraft name is a gamertag. */
  bedrock: boolean
  xboxXuid: string | null
}

/** The part of a store that decides how its servers know players. */
export interface StoreGame {
  game: Game
  /** What Geyser puts before the names of Bedrock players. */
  bedrockPrefix: string
}

export type Game = 'rust' | 'minecraft' | 'minecraft_offline' | 'minecraft_geyser'

/**
 * What the servers of the store put before the name of the player. Null for a player whom they know by the plain name; undefined
 * for a Bedrock player until the store is known, because the plain name could be the name of a Java player.
 */
export function prefixOf(
  { bedrock }: Pick<Player, 'bedrock'>,
  store: StoreGame | undefined,
): string | null | undefined {
  if (!bedrock) return null
  if (!store) return undefined
  return store.game === 'minecraft_geyser' ? store.bedrockPrefix : null
}

/** The Minecraft name as a server of the store shows it: Floodgate adds the prefix and replaces the spaces of a gamertag. */
export function nameOnServer(player: Player, store: StoreGame | undefined): string | null {
  const { minecraftName } = player
  const prefix = prefixOf(player, store)
  if (minecraftName === null || prefix === undefined) return null
  return prefix === null ? minecraftName : prefix + minecraftName.replaceAll(' ', '_')
}

/** The UUID by which a server knows the player. Floodgate derives it from the Xbox user id of a Bedrock player. */
export function uuidOnServer({ minecraftUuid, xboxXuid }: Player): string | null {
  return minecraftUuid ?? (xboxXuid === null ? null : floodgateUuid(xboxXuid))
}

/** The names by which a server of the store may know the player, folded by `foldText`. */
export function foldedNames(player: Player, store: StoreGame | undefined): string[] {
  const { name, minecraftName } = player
  const onServer = nameOnServer(player, store)
  if (minecraftName === null) return name === null ? [] : [foldText(name)]
  if (onServer === null) return []
  const withSpaces =
    player.bedrock && store?.game === 'minecraft_geyser' ? store.bedrockPrefix + minecraftName : onServer
  return [...new Set([onServer, withSpaces].map(foldText))]
}

/** The UUIDs by which a server may know the player: from Mojang, from Floodgate, or from the name in offline mode. */
export function knownUuids({ minecraftUuid, minecraftName, bedrock, xboxXuid }: Player): string[] {
  const uuids = [
    minecraftUuid,
    xboxXuid === null ? null : floodgateUuid(xboxXuid),
    minecraftName === null || bedrock ? null : offlineUuid(minecraftName),
  ]
  return [...new Set(uuids.filter((uuid) => uuid !== null))]
}

/** The UUID that a server in offline mode gives a Java player: version 3, without a namespace. */
export function offlineUuid(name: string): string {
  const bytes = createHash('md5').update(`OfflinePlayer:${name}`).digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x30
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return dashed(bytes.toString('hex'))
}

/** The UUID that Floodgate gives a Bedrock player: the Xbox user id as its low 64 bits. */
function floodgateUuid(xuid: string): string {
  return dashed(BigInt.asUintN(64, BigInt(xuid)).toString(16).padStart(32, '0'))
}

function dashed(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
