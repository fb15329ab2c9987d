import { isFlakeId } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { isSteamId, isXboxXuid, parseUuid } from '@storekeep/proto/conventions/account-ids'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import { parseIpAddress } from '@storekeep/proto/conventions/ip-address'
import type { BanIdentity, BanType } from './ban.ts'

/** The identity that a value of this type stands for, undefined when it cannot be one. */
export function normalizeIdentity(type: BanType, text: string): BanIdentity | undefined {
  const value = forms[type].parse(text)
  return value === undefined
    ? undefined
    : { type, value, matchValue: type === 'customer_name' ? foldText(value) : value }
}

/** What a value of this type has to be: "must be …". */
export function expectedForm(type: BanType): string {
  return forms[type].expected
}

const forms: Record<BanType, { parse(text: string): string | undefined; expected: string }> = {
  steam: { parse: when(isSteamId), expected: 'a Steam ID 64' },
  ip: { parse: parseIpAddress, expected: 'an IPv4 or IPv6 address' },
  customer: { parse: when(isFlakeId), expected: 'the id of a customer' },
  customer_name: { parse: when(isName), expected: 'a name of 1 to 128 characters' },
  email: { parse: parseEmailAddress, expected: 'an e-mail address' },
  minecraft_uuid: { parse: parseUuid, expected: 'a uuid' },
  xbox_xuid: { parse: when(isXboxXuid), expected: '1 to 20 decimal digits' },
}

function when(isValid: (text: string) => boolean) {
  return (text: string) => (isValid(text) ? text : undefined)
}

/** The same rule as for the name of a customer. */
function isName(text: string): boolean {
  return textViolations('', text, 1, 128).length === 0
}
