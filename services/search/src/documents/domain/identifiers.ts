import { parseUuid } from '@storekeep/proto/conventions/account-ids'
import { parseIpAddress } from '@storekeep/proto/conventions/ip-address'

/**
 * The identifiers of several words in a folded text, normalized: email addresses, UUIDs and IP addresses. They are
 * indexed as whole values, because most of their words are common.
 */
export function identifiersIn(folded: string): string[] {
  if (!/[@.:]|-.*-/.test(folded) && folded.length !== bareUuidLength) return []
  return folded.split(separators).flatMap((token) => {
    const identifier = isEmail(token) ? token : (parseUuid(token) ?? parseIpAddress(token))
    return identifier === undefined ? [] : [identifier]
  })
}

/** True for a number as long as the ids of players and records. It is matched from its start only, and has no typos. */
export function isLongNumber(word: string): boolean {
  return /^[0-9]{15,}$/.test(word)
}

function isEmail(token: string): boolean {
  return /^[^@]+@[^@]+\.[^@.]+$/.test(token)
}

const separators = /[\s,;"'<>()[\]{}]+/
const bareUuidLength = 32
