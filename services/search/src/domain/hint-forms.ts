import { parseUuid } from '@storekeep/proto/conventions/account-ids'
import { parseIpAddress } from '@storekeep/proto/conventions/ip-address'
import { foldForSearch } from './folded-words.ts'
import { type HintName, type Hints, hintNames } from './searchable.ts'
import type { WordKey } from './word-keys.ts'

/** The keys of hints, of a record or of a query. What cannot be a value of its hint has none. */
export function hintKeys(hints: Hints<readonly string[]>): WordKey[] {
  return hintNames.flatMap((name) =>
    (hints[name] ?? []).flatMap((value) => {
      const form = forms[name](value.trim())
      return form === undefined ? [] : [[`hint ${name}`, form] as const]
    }),
  )
}

/** All ways of writing a value have one form. */
const forms: Record<HintName, (value: string) => string | undefined> = {
  customer_id: (value) => value,
  steam_id: (value) => value,
  minecraft_uuid: parseUuid,
  xbox_xuid: (value) => value,
  code: foldForSearch,
  name: foldForSearch,
  email: foldForSearch,
  ip: parseIpAddress,
}
