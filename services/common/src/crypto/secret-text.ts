import { crc32 } from 'node:zlib'
import { base62Decode, base62Encode } from './base62.ts'

/**
 * Encodes a secret as `<prefix>_<base62 of the bytes><6 characters of checksum>`. The prefix identifies the kind of secret
 * to readers, secret scanners and our log, which removes it. The checksum covers prefix and bytes and allows a mistyped
 * or truncated secret to be rejected without I/O.
 *
 * @param prefix lower-case letters: `sk` and the kind of secret
 */
export function encodeSecret(prefix: string, bytes: Uint8Array): string {
  return withChecksum(`${prefix}_${base62Encode(bytes)}`)
}

/**
 * Returns the bytes of a secret that `encodeSecret` encoded with this prefix; undefined for any other text. Decoding does
 * not authenticate a secret: anyone can compute the checksum.
 */
export function decodeSecret(prefix: string, text: string): Buffer | undefined {
  const digits = digitsOf(prefix, text)
  return digits === undefined ? undefined : base62Decode(digits)
}

/**
 * Encodes a secret as `encodeSecret` does, with the cell in place of its first two digits, in decimal: `skapi_07…` belongs to
 * cell 7 (decision 0039). Without cells, and so in cell 0, the two digits are always 00, so `encodeSecret` gives the same secrets
 * as cell 0, and length and characters are the same in every cell.
 *
 * @throws RangeError if the first two base62 digits of `bytes` are not 00
 */
export function encodeSecretOfCell(prefix: string, cell: number, bytes: Uint8Array): string {
  const digits = base62Encode(bytes)
  if (!digits.startsWith(cellZero)) throw new RangeError('The first digits of the secret are not free for the cell.')
  return withChecksum(`${prefix}_${String(cell).padStart(cellZero.length, '0')}${digits.slice(cellZero.length)}`)
}

/** Returns the cell and the bytes of a secret of `encodeSecretOfCell`; undefined for any other text. */
export function decodeSecretOfCell(prefix: string, text: string): { cell: number; bytes: Buffer } | undefined {
  const digits = digitsOf(prefix, text)
  if (digits === undefined || !/^\d\d/.test(digits)) return undefined
  const bytes = base62Decode(cellZero + digits.slice(cellZero.length))
  return bytes && { cell: Number(digits.slice(0, cellZero.length)), bytes }
}

/**
 * The CRC32 of a text as 6 base62 characters. Gateways and secret scanners use it to discard random text. It does not
 * authenticate: anyone can compute it.
 */
export function crc32Base62(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62Encode(bytes)
}

function withChecksum(text: string): string {
  return text + crc32Base62(text)
}

/** The digits of a secret with this prefix and a valid checksum. */
function digitsOf(prefix: string, text: string): string | undefined {
  const start = prefix.length + 1
  const end = text.length - checksumLength
  if (end <= start || !text.startsWith(prefix) || text[prefix.length] !== '_') return undefined
  if (crc32Base62(text.slice(0, end)) !== text.slice(end)) return undefined
  return text.slice(start, end)
}

const checksumLength = 6
const cellZero = '00'
