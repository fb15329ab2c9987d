import { errors, type Violation, violation } from '@storekeep/common/errors'
import { metadataViolations, textViolations } from '@storekeep/common/values'
import { isSteamId, parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import {
  type CustomerState,
  hasIdentity,
  type Metadata,
  type MinecraftPlatform,
  minecraftPlatforms,
} from './customer.ts'

/** The caller's input for a customer, not validated. */
export interface CustomerInput {
  steamId?: string | undefined
  minecraftUuid?: string | undefined
  /** "invalid" for an unknown platform. */
  minecraftPlatform?: MinecraftPlatform | 'invalid' | undefined
  xboxXuid?: string | undefined
  name?: string | undefined
  metadata: Metadata
}

/** Validated input. Uniqueness of the ids is left to the database. */
export interface CustomerDraft {
  steamId: string | null
  minecraftUuid: string | null
  minecraftPlatform: MinecraftPlatform | null
  xboxXuid: string | null
  name: string | null
  metadata: Metadata
}

/**
 * Validates a new customer (contract section B, Customers).
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkCustomer(input: CustomerInput): CustomerDraft {
  const violations = customerViolations(input)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return toDraft(input)
}

/** Returns the violations of a new customer. @param at path prefix: the index in a bulk request, otherwise "" */
export function customerViolations(input: CustomerInput, at = ''): Violation[] {
  const found = fieldViolations(input, at)
  return found.length === 0 && !hasIdentity(toDraft(input)) ? [missingIdentityViolation(at)] : found
}

/** Returns the violations of single fields, without requiring an identity. */
export function fieldViolations(input: CustomerInput, at = ''): Violation[] {
  const { steamId, minecraftUuid, minecraftPlatform, xboxXuid, name, metadata } = input
  const path = (field: string) => (at === '' ? field : `${at}.${field}`)
  const found: Violation[] = []
  if (steamId !== undefined && !isSteamId(steamId)) {
    found.push(violation(path('steam_id'), 'format', 'must be a SteamID64'))
  }
  if (minecraftUuid !== undefined && parseUuid(minecraftUuid) === undefined) {
    found.push(violation(path('minecraft_uuid'), 'format', 'must be a UUID'))
  }
  if (minecraftPlatform === 'invalid') {
    found.push(violation(path('minecraft_platform'), 'enum', `must be one of ${minecraftPlatforms.join(', ')}`))
  }
  if (xboxXuid !== undefined && parseXboxXuid(xboxXuid) === undefined) {
    found.push(violation(path('xbox_xuid'), 'format', 'must be 1 to 20 decimal digits'))
  }
  if (name !== undefined) found.push(...textViolations(path('name'), name, 1, customerLimits.nameLength))
  return found.concat(metadataViolations(metadata, path('metadata')))
}

/** Normalizes an input without violations. */
export function toDraft(input: CustomerInput): CustomerDraft {
  const { steamId = null, minecraftUuid, minecraftPlatform, xboxXuid, name = null, metadata } = input
  return {
    steamId,
    minecraftUuid: minecraftUuid === undefined ? null : (parseUuid(minecraftUuid) ?? null),
    minecraftPlatform: minecraftPlatform === undefined || minecraftPlatform === 'invalid' ? null : minecraftPlatform,
    xboxXuid: xboxXuid === undefined ? null : (parseXboxXuid(xboxXuid) ?? null),
    name,
    metadata,
  }
}

/** A customer without any field. */
export const emptyDraft: CustomerDraft = {
  steamId: null,
  minecraftUuid: null,
  minecraftPlatform: null,
  xboxXuid: null,
  name: null,
  metadata: {},
}

/** A customer created by the store, with no account looked up yet. */
export function newCustomer(draft: CustomerDraft): CustomerState {
  return { ...draft, ...noProfiles }
}

const noProfiles = {
  steamName: null,
  steamAvatarUrl: null,
  minecraftName: null,
  minecraftAvatarUrl: null,
  signInKey: null,
} as const

export function missingIdentityViolation(at = ''): Violation {
  return violation(at, 'required', 'needs at least one of steam_id, minecraft_uuid, xbox_xuid and name')
}
