import { errors, type Violation, violation } from '@storekeep/common/errors'
import { metadataViolations, textViolations } from '@storekeep/common/values'
import { isSteamId, isXboxXuid, parseUuid } from '@storekeep/proto/conventions/account-ids'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import {
  type CustomerState,
  hasIdentity,
  type Metadata,
  type MinecraftPlatform,
  minecraftPlatforms,
} from './customer.ts'

/** What a caller may say of a customer; nothing in it has been checked. An absent member is unset. */
export interface CustomerInput {
  steamId?: string | undefined
  minecraftUuid?: string | undefined
  /** "invalid" when it is none that we know. */
  minecraftPlatform?: MinecraftPlatform | 'invalid' | undefined
  xboxXuid?: string | undefined
  name?: string | undefined
  metadata: Metadata
}

/** Members that keep every rule but the uniqueness of the ids, which only the table can tell. */
export interface CustomerDraft {
  steamId: string | null
  minecraftUuid: string | null
  minecraftPlatform: MinecraftPlatform | null
  xboxXuid: string | null
  name: string | null
  metadata: Metadata
}

/**
 * The one way to the draft of a new customer.
 * @throws ServiceFault `validation-failed` naming every wrong member
 */
export function checkCustomer(input: CustomerInput): CustomerDraft {
  const violations = customerViolations(input)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return toDraft(input)
}

/** What is wrong with a new customer. `at` is its place in the request: "3" in a bulk, "" otherwise. */
export function customerViolations(input: CustomerInput, at = ''): Violation[] {
  const found = memberViolations(input, at)
  return found.length === 0 && !hasIdentity(toDraft(input)) ? [identityMissing(at)] : found
}

/** What is wrong with single members, whether or not the whole has an identity. */
export function memberViolations(input: CustomerInput, at = ''): Violation[] {
  const { steamId, minecraftUuid, minecraftPlatform, xboxXuid, name, metadata } = input
  const path = (member: string) => (at === '' ? member : `${at}.${member}`)
  const found: Violation[] = []
  if (steamId !== undefined && !isSteamId(steamId)) {
    found.push(violation(path('steam_id'), 'format', 'must be a Steam ID 64'))
  }
  if (minecraftUuid !== undefined && parseUuid(minecraftUuid) === undefined) {
    found.push(violation(path('minecraft_uuid'), 'format', 'must be a uuid'))
  }
  if (minecraftPlatform === 'invalid') {
    found.push(violation(path('minecraft_platform'), 'enum', `must be one of ${minecraftPlatforms.join(', ')}`))
  }
  if (xboxXuid !== undefined && !isXboxXuid(xboxXuid)) {
    found.push(violation(path('xbox_xuid'), 'format', 'must be 1 to 20 decimal digits'))
  }
  if (name !== undefined) found.push(...textViolations(path('name'), name, 1, customerLimits.nameLength))
  return found.concat(metadataViolations(metadata, path('metadata')))
}

/** The members in the form that is kept. Only for an input without violations. */
export function toDraft(input: CustomerInput): CustomerDraft {
  const { steamId = null, minecraftUuid, minecraftPlatform, xboxXuid = null, name = null, metadata } = input
  return {
    steamId,
    minecraftUuid: minecraftUuid === undefined ? null : (parseUuid(minecraftUuid) ?? null),
    minecraftPlatform: minecraftPlatform === undefined || minecraftPlatform === 'invalid' ? null : minecraftPlatform,
    xboxXuid,
    name,
    metadata,
  }
}

/** A customer as its store makes it: nothing is known yet of its accounts. */
export function newCustomer(draft: CustomerDraft): CustomerState {
  return { ...draft, ...nothingKnown }
}

const nothingKnown = {
  steamName: null,
  steamAvatarUrl: null,
  minecraftName: null,
  minecraftAvatarUrl: null,
  signInKey: null,
} as const

export function identityMissing(at = ''): Violation {
  return violation(at, 'required', 'needs at least one of steam_id, minecraft_uuid, xbox_xuid and name')
}
