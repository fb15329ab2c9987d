import { isDeepStrictEqual } from 'node:util'
import { errors } from '@storekeep/common/errors'
import { maskedMembers, pick } from '@storekeep/common/values'
import { type CustomerState, hasIdentity } from './customer.ts'
import { type CustomerDraft, type CustomerInput, identityMissing, memberViolations, toDraft } from './customer-draft.ts'

/** Members that a PATCH may name, by their names in a field mask. */
const maskMembers = {
  steam_id: 'steamId',
  minecraft_uuid: 'minecraftUuid',
  minecraft_platform: 'minecraftPlatform',
  xbox_xuid: 'xboxXuid',
  name: 'name',
  metadata: 'metadata',
} as const satisfies Record<string, keyof CustomerDraft>

/** The members that a PATCH names, checked; null clears. */
export type CustomerChange = Partial<CustomerDraft>

/**
 * The change that a request asks for. Members outside the mask are not looked at.
 * @throws ServiceFault `validation-failed` naming every wrong member
 */
export function checkChange(input: CustomerInput, mask: readonly string[]): CustomerChange {
  const members = maskedMembers(maskMembers, mask)
  const named: Partial<CustomerInput> = pick(input, members)
  const masked: CustomerInput = { ...named, metadata: members.includes('metadata') ? input.metadata : {} }
  const violations = memberViolations(masked)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const draft = toDraft(masked)
  return pick(draft, members)
}

/**
 * The customer after the change, undefined when that is no other than before. An account that changed takes its
 * looked-up profile with it.
 * @throws ServiceFault `validation-failed` when no identity would be left
 */
export function applyChange(customer: CustomerState, change: CustomerChange): CustomerState | undefined {
  const changed: CustomerState = { ...customer, ...change }
  if (isDeepStrictEqual(changed, customer)) return undefined
  if (!hasIdentity(changed)) throw errors.validationFailed([identityMissing()])
  if (changed.steamId !== customer.steamId) Object.assign(changed, noSteamProfile)
  // A name typed at sign-in stays when the store adds the uuid that it stands for.
  const uuidReplaced = customer.minecraftUuid !== null && changed.minecraftUuid !== customer.minecraftUuid
  if (uuidReplaced) Object.assign(changed, noMinecraftProfile)
  return changed
}

const noSteamProfile = { steamName: null, steamAvatarUrl: null }
const noMinecraftProfile = { minecraftName: null, minecraftAvatarUrl: null }
