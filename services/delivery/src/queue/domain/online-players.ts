import { foldText } from '@storekeep/proto/conventions/folded-text'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'

/** Identities of the players on a server, in the notation of the copies of customers. */
export interface Identities {
  steamIds: readonly string[]
  /** In lower case, with hyphens. */
  minecraftUuids: readonly string[]
  /** Folded by `foldText`. */
  names: readonly string[]
}

/** The lists of players that a plugin sends, in any notation. */
export interface PlayerLists {
  steamIds: readonly string[]
  minecraftUuids: readonly string[]
  customerNames: readonly string[]
}

/** Reads lists of players. Texts that cannot be an identity are ignored, and so are players beyond the limit of a list. */
export function readIdentities({ steamIds, minecraftUuids, customerNames }: PlayerLists): Identities {
  return {
    steamIds: readEach(steamIds, readSteamId),
    minecraftUuids: readEach(minecraftUuids, readUuid),
    names: readEach(customerNames, readName),
  }
}

export function isEmpty({ steamIds, minecraftUuids, names }: Identities): boolean {
  return steamIds.length + minecraftUuids.length + names.length === 0
}

/** A text for each identity, different for identities of different kinds. */
export function identityKeys({ steamIds, minecraftUuids, names }: Identities): string[] {
  return [
    ...steamIds.map((id) => `s${id}`),
    ...minecraftUuids.map((id) => `u${id}`),
    ...names.map((name) => `n${name}`),
  ]
}

function readEach(list: readonly string[], read: (text: string) => string | undefined): string[] {
  const found = new Set<string>()
  for (const text of list.slice(0, deliveryLimits.players)) {
    const identity = read(text)
    if (identity !== undefined) found.add(identity)
  }
  return [...found]
}

function readSteamId(text: string): string | undefined {
  const trimmed = text.trim()
  return /^[1-9]\d{0,18}$/.test(trimmed) && BigInt(trimmed) <= maxInt8 ? trimmed : undefined
}

function readUuid(text: string): string | undefined {
  const digits = text.trim().toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/.test(digits)) return undefined
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function readName(text: string): string | undefined {
  const name = text.trim()
  // Postgres cannot store NUL, so no customer has such a name. The longest known names have 128 characters.
  return name === '' || name.length > maxNameLength || name.includes('\0') ? undefined : foldText(name)
}

const maxInt8 = 2n ** 63n - 1n
const maxNameLength = 256
