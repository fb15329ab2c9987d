/** Formats of player account ids, shared by the gateways and several services. */

/** True for the SteamID64 of an individual account, in decimal digits. */
export function isSteamId(text: string): boolean {
  return /^[0-9]{17}$/.test(text) && text >= smallestSteamId && text <= largestSteamId
}

/** Returns the dashed lower-case form of a UUID in any notation; undefined if the text is not a UUID. */
export function parseUuid(text: string): string | undefined {
  if (!dashedUuid.test(text) && !bareUuid.test(text)) return undefined
  const digits = text.replaceAll('-', '').toLowerCase()
  const at = (from: number, to: number) => digits.slice(from, to)
  return `${at(0, 8)}-${at(8, 12)}-${at(12, 16)}-${at(16, 20)}-${at(20, 32)}`
}

/**
 * Returns the normal form of an Xbox user id of 1 to 20 decimal digits; undefined if the text is not one. An id is a number, so
 * leading zeros are dropped: otherwise `007` would be another player than `7`.
 */
export function parseXboxXuid(text: string): string | undefined {
  return /^[0-9]{1,20}$/.test(text) ? text.replace(/^0+(?=[0-9])/, '') : undefined
}

/** All ids have 17 digits, so string comparison equals numeric comparison. */
const smallestSteamId = '76561197960265729'
const largestSteamId = '76561202255233023'
const dashedUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const bareUuid = /^[0-9a-f]{32}$/i
