import { parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import { parseIpAddress } from '@storekeep/proto/conventions/ip-address'
import { foldForSearch } from './folded-words.ts'
import { type HintName, type Hints, hintNames } from './searchable.ts'

/** The keys of the hints of a record or a query. A value that is malformed for its hint has no key. */
export function hintKeys(hints: Hints<readonly string[]>): (readonly [kind: string, value: string])[] {
  return hintNames.flatMap((name) =>
    [...new Set(hints[name])].flatMap((value) => {
      const normalized = normalizers[name](value.trim())
      return normalized === undefined ? [] : [[`hint ${name}`, normalized] as const]
    }),
  )
}

/** Map every spelling of a value to the same text. */
const normalizers: Record<HintName, (value: string) => string | undefined> = {
  customer_id: (value) => value,
  steam_id: (value) => value,
  minecraft_uuid: parseUuid,
  xbox_xuid: parseXboxXuid,
  code: foldForSearch,
  name: foldForSearch,
  email: foldForSearch,
  ip: parseIpAddress,
}
