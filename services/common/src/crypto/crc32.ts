import { crc32 } from 'node:zlib'
import { base62Encode } from './base62.ts'

/**
 * CRC32 of a text as 6 base62 characters, the checksum at the end of our keys and tokens. It lets a gateway, and any
 * scanner for leaked secrets, tell ours from noise without asking anybody. It proves nothing: anyone can compute it.
 */
export function crc32Base62(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62Encode(bytes)
}
