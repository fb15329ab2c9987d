import { isFlakeId } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { isSteamId, parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import { caselessText } from '@storekeep/proto/conventions/caseless-text'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import { parseIpAddress } from '@storekeep/proto/conventions/ip-address'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import type { BanIdentity, BanType } from './ban.ts'

/**
 * The rule by which bans are stored and checked: two values of a type are the same identity if they have the same `matchValue`.
 * @returns the identity in the normal form of its type; undefined for an invalid value
 */
export function normalizeIdentity(type: BanType, text: string): BanIdentity | undefined {
  const value = formats[type].parse(text)
  return value === undefined ? undefined : { type, value, matchValue: isTyped(type) ? caselessText(value) : value }
}

/** True for text that people type, in which one value has many spellings. */
function isTyped(type: BanType): boolean {
  return type === 'customer_name' || type === 'email'
}

/** Completes "must be …". */
export function expectedFormat(type: BanType): string {
  return formats[type].expected
}

const formats: Record<BanType, { parse(text: string): string | undefined; expected: string }> = {
  steam: { parse: when(isSteamId), expected: 'a SteamID64' },
  ip: { parse: parseIpAddress, expected: 'an IPv4 or IPv6 address' },
  customer: { parse: when(isFlakeId), expected: 'a customer id' },
  customer_name: { parse: when(isName), expected: 'a name of 1 to 128 characters' },
  email: { parse: parseEmailAddress, expected: 'an email address' },
  minecraft_uuid: { parse: parseUuid, expected: 'a UUID' },
  xbox_xuid: { parse: parseXboxXuid, expected: '1 to 20 decimal digits' },
}

function when(isValid: (text: string) => boolean) {
  return (text: string) => (isValid(text) ? text : undefined)
}

/** Follows the rule for customer names. */
function isName(text: string): boolean {
  return textViolations('', text, 1, customerLimits.nameLength).length === 0
}
