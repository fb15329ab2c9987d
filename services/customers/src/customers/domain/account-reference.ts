import { errors, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { isSteamId, parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import { type NamePlatform, namePlatforms, type SignInStore } from './sign-in.ts'

/** A reference to a customer: by account id, by name as typed at sign-in, or to an existing customer of the store. */
export type AccountReference =
  | { kind: 'id'; ids: AccountIds }
  | { kind: 'name'; platform: NamePlatform; name: string }
  | { kind: 'existing'; lookup: { id: string } | { name: string } }

/** Exactly one is set. */
export interface AccountIds {
  steamId?: string
  minecraftUuid?: string
  xboxXuid?: string
}

/** @throws ServiceFault `validation-failed` for an unknown platform or a malformed id */
export function checkAccountReference({ platform, id }: { platform: string; id: string }): AccountReference {
  const typed = namePlatforms.find((one) => one === platform)
  if (typed) return { kind: 'name', platform: typed, name: id }
  switch (platform) {
    case 'steam':
      if (!isSteamId(id)) throw malformedId('a SteamID64')
      return { kind: 'id', ids: { steamId: id } }
    case 'minecraft_uuid': {
      const minecraftUuid = parseUuid(id)
      if (minecraftUuid === undefined) throw malformedId('a UUID')
      return { kind: 'id', ids: { minecraftUuid } }
    }
    case 'xbox_xuid': {
      const xboxXuid = parseXboxXuid(id)
      if (xboxXuid === undefined) throw malformedId('1 to 20 decimal digits')
      return { kind: 'id', ids: { xboxXuid } }
    }
    case 'service':
      if (!isFlakeId(id)) throw malformedId('a customer id')
      return { kind: 'existing', lookup: { id } }
    case 'service_name': {
      const violations = textViolations('id', id, 1, customerLimits.nameLength)
      if (violations.length > 0) throw errors.validationFailed(violations)
      return { kind: 'existing', lookup: { name: id } }
    }
    default:
      throw unknownPlatform([...idPlatforms, ...namePlatforms])
  }
}

/** @throws ServiceFault `validation-failed` unless the store's game identifies players by name */
export function requireNamedPlayers({ game }: SignInStore): void {
  if (game === undefined) throw unknownPlatform(idPlatforms)
}

const idPlatforms = ['service', 'service_name', 'steam', 'minecraft_uuid', 'xbox_xuid']

function unknownPlatform(known: readonly string[]) {
  return errors.validationFailed([violation('platform', 'enum', `must be one of ${known.join(', ')}`)])
}

function malformedId(expected: string) {
  return errors.validationFailed([violation('id', 'format', `must be ${expected}`)])
}
