import { isDeepStrictEqual } from 'node:util'
import { errors } from '@storekeep/common/errors'
import { maskedFields, pick } from '@storekeep/common/values'
import { type CustomerState, hasIdentity, hasVerifiedId, isClaimed } from './customer.ts'
import {
  type CustomerDraft,
  type CustomerInput,
  fieldViolations,
  missingIdentityViolation,
  toDraft,
} from './customer-draft.ts'

/** The fields that a PATCH can change, with their names in the API. */
const changeable = {
  steamId: 'steam_id',
  minecraftUuid: 'minecraft_uuid',
  minecraftPlatform: 'minecraft_platform',
  xboxXuid: 'xbox_xuid',
  name: 'name',
  metadata: 'metadata',
} as const satisfies Partial<Record<keyof CustomerDraft, string>>

/** The validated fields of a PATCH; null clears a field. */
export type CustomerChange = Partial<CustomerDraft>

/**
 * Validates the fields named in the mask and ignores the others.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkChange(input: CustomerInput, mask: readonly string[]): CustomerChange {
  const fields = maskedFields(changeable, mask)
  const named: Partial<CustomerInput> = pick(input, fields)
  const masked: CustomerInput = { ...named, metadata: fields.includes('metadata') ? input.metadata : {} }
  const violations = fieldViolations(masked)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const draft = toDraft(masked)
  return pick(draft, fields)
}

/**
 * Applies the change. Replacing an account drops its looked-up profile. Giving a claimed customer an id links it: it becomes
 * verified and its typed names are dropped, so a search for an unverified name never finds a verified customer (decision 0021).
 * @returns undefined when nothing changes
 * @throws ServiceFault `validation-failed` when no identity would be left
 */
export function applyChange(customer: CustomerState, change: CustomerChange): CustomerState | undefined {
  const changed: CustomerState = { ...customer, ...change }
  if (isDeepStrictEqual(changed, customer)) return undefined
  if (!hasIdentity(changed)) throw errors.validationFailed([missingIdentityViolation()])
  if (changed.steamId !== customer.steamId) Object.assign(changed, noSteamProfile)
  if (changed.minecraftUuid !== customer.minecraftUuid) Object.assign(changed, noMinecraftProfile)
  if (isClaimed(customer) && hasVerifiedId(changed)) {
    const { minecraftPlatform = null } = change
    Object.assign(changed, noMinecraftProfile, { minecraftPlatform, signInKey: null })
  }
  return changed
}

const noSteamProfile = { steamName: null, steamAvatarUrl: null }
const noMinecraftProfile = { minecraftName: null, minecraftAvatarUrl: null }
