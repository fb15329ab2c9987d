/**
 * Reads the preference `wait` of RFC 7240: how long the caller is willing to wait, in whole seconds. The first one counts; other
 * preferences and malformed ones are ignored, as the RFC demands.
 *
 * @param header the values of `Prefer`, joined by commas
 * @returns 0 without the preference
 */
export function readPreferredWait(header: string | undefined): number {
  if (header === undefined) return 0
  for (const preference of header.slice(0, maxLength).split(',')) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i.exec(preference) ?? []
    if (seconds !== undefined) return Number(seconds)
  }
  return 0
}

const maxLength = 1000
