import { base62Decode, base62Encode } from './base62.ts'
import { crc32Base62 } from './crc32.ts'

/**
 * Encodes a secret as `<prefix>_<base62 of the bytes><6 characters of checksum>`. The prefix identifies the kind of secret
 * to readers, secret scanners and our log, which removes it. The checksum covers prefix and bytes and allows a mistyped
 * or truncated secret to be rejected without I/O.
 *
 * @param prefix lower-case letters: `sk` and the kind of secret
 */
export function encodeSecret(prefix: string, bytes: Uint8Array): string {
  const text = `${prefix}_${base62Encode(bytes)}`
  return text + crc32Base62(text)
}

/**
 * Returns the bytes of a secret that `encodeSecret` encoded with this prefix; undefined for any other text. Decoding does
 * not authenticate a secret: anyone can compute the checksum.
 */
export function decodeSecret(prefix: string, text: string): Buffer | undefined {
  const start = prefix.length + 1
  const end = text.length - checksumLength
  if (end <= start || !text.startsWith(prefix) || text[prefix.length] !== '_') return undefined
  if (crc32Base62(text.slice(0, end)) !== text.slice(end)) return undefined
  return base62Decode(text.slice(start, end))
}

const checksumLength = 6
