import { errors, violation } from '@storekeep/common/errors'
import { isSteamId, isXboxXuid, parseUuid } from '@storekeep/proto/conventions/account-ids'
import { type SignInPlatform, type SignInStore, signInPlatforms } from './sign-in.ts'

/** A reference to an account: by id, or by name as typed at sign-in. */
export type AccountReference =
  | { kind: 'id'; ids: AccountIds }
  | { kind: 'name'; platform: SignInPlatform; name: string }

/** Exactly one is set. */
export interface AccountIds {
  steamId?: string
  minecraftUuid?: string
  xboxXuid?: string
}

/** @throws ServiceFault `validation-failed` for an unknown platform or a malformed id */
export function checkAccountReference({ platform, id }: { platform: string; id: string }): AccountReference {
  const typed = signInPlatforms.find((one) => one === platform)
  if (typed) return { kind: 'name', platform: typed, name: id }
  switch (platform) {
    case 'steam':
      if (!isSteamId(id)) throw malformedId('a Steam ID 64')
      return { kind: 'id', ids: { steamId: id } }
    case 'minecraft_uuid': {
      const minecraftUuid = parseUuid(id)
      if (minecraftUuid === undefined) throw malformedId('a uuid')
      return { kind: 'id', ids: { minecraftUuid } }
    }
    case 'xbox_xuid':
      if (!isXboxXuid(id)) throw malformedId('1 to 20 decimal digits')
      return { kind: 'id', ids: { xboxXuid: id } }
    default:
      throw unknownPlatform([...idPlatforms, ...signInPlatforms])
  }
}

/** @throws ServiceFault `validation-failed` unless the store's game identifies players by name */
export function requireNamedPlayers({ game }: SignInStore): void {
  if (game === undefined) throw unknownPlatform(idPlatforms)
}

const idPlatforms = ['steam', 'minecraft_uuid', 'xbox_xuid']

function unknownPlatform(known: readonly string[]) {
  return errors.validationFailed([violation('platform', 'enum', `must be one of ${known.join(', ')}`)])
}

function malformedId(expected: string) {
  return errors.validationFailed([violation('id', 'format', `must be ${expected}`)])
}
