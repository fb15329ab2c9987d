import { base62Decode, base62Encode } from './base62.ts'
import { crc32Base62 } from './crc32.ts'

/**
 * A secret as people and programs pass it on: `<prefix>_<base62 of the bytes><6 characters of checksum>`. The
 * prefix says what it is, to readers and to scanners for leaked secrets (and to our own log, which strips it); the
 * checksum covers prefix and bytes and lets a mistyped or cut one be refused without any I/O.
 *
 * @param prefix lower-case letters, `sk` and the kind of secret
 */
export function encodeSecret(prefix: string, bytes: Uint8Array): string {
  const text = `${prefix}_${base62Encode(bytes)}`
  return text + crc32Base62(text)
}

/**
 * The bytes of a secret that `encodeSecret` made with this prefix, undefined for every other text. That it decodes
 * proves nothing: anyone can compute the checksum.
 */
export function decodeSecret(prefix: string, text: string): Buffer | undefined {
  const start = prefix.length + 1
  const end = text.length - checksumLength
  if (end <= start || !text.startsWith(prefix) || text[prefix.length] !== '_') return undefined
  if (crc32Base62(text.slice(0, end)) !== text.slice(end)) return undefined
  return base62Decode(text.slice(start, end))
}

const checksumLength = 6
