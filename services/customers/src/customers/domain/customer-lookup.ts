import { errors, type Violation, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { isSteamId, parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import type { MinecraftPlatform } from './customer.ts'

/** The caller's lookup parameters, not validated. */
export interface LookupInput {
  id?: string | undefined
  steamId?: string | undefined
  minecraftUuid?: string | undefined
  xboxXuid?: string | undefined
  minecraftJavaName?: string | undefined
  minecraftBedrockName?: string | undefined
  name?: string | undefined
}

/** A customer matches when all given criteria match. */
export interface CustomerCriteria {
  id: string | undefined
  steamId: string | undefined
  minecraftUuid: string | undefined
  xboxXuid: string | undefined
  foldedName: string | undefined
  foldedMinecraftName: string | undefined
  minecraftPlatform: MinecraftPlatform | undefined
}

/**
 * Validates a lookup.
 * @returns undefined when no customer can match, because a customer has a single Minecraft edition
 * @throws ServiceFault `validation-failed` when no parameter is given or an id is malformed
 */
export function checkLookup(input: LookupInput): CustomerCriteria | undefined {
  const violations = lookupViolations(input)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const { id, steamId, minecraftUuid, xboxXuid, minecraftJavaName, minecraftBedrockName, name } = input
  if (minecraftJavaName !== undefined && minecraftBedrockName !== undefined) return undefined
  const minecraftName = minecraftJavaName ?? minecraftBedrockName
  return {
    id,
    steamId,
    minecraftUuid: minecraftUuid === undefined ? undefined : parseUuid(minecraftUuid),
    xboxXuid: xboxXuid === undefined ? undefined : parseXboxXuid(xboxXuid),
    foldedName: name === undefined ? undefined : foldText(name),
    foldedMinecraftName: minecraftName === undefined ? undefined : foldText(minecraftName),
    minecraftPlatform:
      minecraftJavaName !== undefined ? 'java' : minecraftBedrockName !== undefined ? 'bedrock' : undefined,
  }
}

function lookupViolations(input: LookupInput): Violation[] {
  const { id, steamId, minecraftUuid, xboxXuid } = input
  if (Object.values(input).every((value) => value === undefined)) {
    return [violation('', 'required', 'needs at least one of the lookup parameters')]
  }
  return [
    ...idViolations('id', id),
    steamId !== undefined && !isSteamId(steamId) ? violation('steam_id', 'format', 'must be a SteamID64') : undefined,
    minecraftUuid !== undefined && parseUuid(minecraftUuid) === undefined
      ? violation('minecraft_uuid', 'format', 'must be a UUID')
      : undefined,
    xboxXuid !== undefined && parseXboxXuid(xboxXuid) === undefined
      ? violation('xbox_xuid', 'format', 'must be 1 to 20 decimal digits')
      : undefined,
    ...names.map(({ key, path }) =>
      input[key]?.includes('\0') ? violation(path, 'pattern', 'must not contain NUL characters') : undefined,
    ),
  ].filter((one) => one !== undefined)
}

const names = [
  { key: 'minecraftJavaName', path: 'minecraft_java_name' },
  { key: 'minecraftBedrockName', path: 'minecraft_bedrock_name' },
  { key: 'name', path: 'name' },
] as const
