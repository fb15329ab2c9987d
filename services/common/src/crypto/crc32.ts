import { crc32 } from 'node:zlib'
import { base62Encode } from './base62.ts'

/**
 * The CRC32 of a text as 6 base62 characters: the checksum at the end of API keys and customer tokens. Gateways and
 * secret scanners use it to discard random text. It does not authenticate: anyone can compute it.
 */
export function crc32Base62(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62Encode(bytes)
}
