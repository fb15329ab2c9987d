import { errors, violation } from '@storekeep/common/errors'
import { isSteamId, isXboxXuid, parseUuid } from '@storekeep/proto/conventions/account-ids'
import { type SignInPlatform, type SignInStore, signInPlatforms } from './sign-in.ts'

/** An account that somebody named: by its id, or by a name as one is typed at sign-in. */
export type NamedAccount = { kind: 'id'; ids: AccountIds } | { kind: 'name'; platform: SignInPlatform; name: string }

/** One of them is set. */
export interface AccountIds {
  steamId?: string
  minecraftUuid?: string
  xboxXuid?: string
}

/** @throws ServiceFault `validation-failed` for a platform that we do not know and for an id that is none there */
export function checkAccount({ platform, id }: { platform: string; id: string }): NamedAccount {
  const typed = signInPlatforms.find((one) => one === platform)
  if (typed) return { kind: 'name', platform: typed, name: id }
  switch (platform) {
    case 'steam':
      if (!isSteamId(id)) throw notAnId('a Steam ID 64')
      return { kind: 'id', ids: { steamId: id } }
    case 'minecraft_uuid': {
      const minecraftUuid = parseUuid(id)
      if (minecraftUuid === undefined) throw notAnId('a uuid')
      return { kind: 'id', ids: { minecraftUuid } }
    }
    case 'xbox_xuid':
      if (!isXboxXuid(id)) throw notAnId('1 to 20 decimal digits')
      return { kind: 'id', ids: { xboxXuid: id } }
    default:
      throw unknownPlatform([...idPlatforms, ...signInPlatforms])
  }
}

/** @throws ServiceFault `validation-failed` unless the store's players are known by names */
export function requireNames({ game }: SignInStore): void {
  if (game === undefined) throw unknownPlatform(idPlatforms)
}

const idPlatforms = ['steam', 'minecraft_uuid', 'xbox_xuid']

function unknownPlatform(known: readonly string[]) {
  return errors.validationFailed([violation('platform', 'enum', `must be one of ${known.join(', ')}`)])
}

function notAnId(expected: string) {
  return errors.validationFailed([violation('id', 'format', `must be ${expected}`)])
}
