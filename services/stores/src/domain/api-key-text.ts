import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeSecret, encodeSecret } from '@storekeep/common/crypto'
import { flakeIdFromBytes, flakeIdToBytes } from '@storekeep/common/flake'
import { apiKeyPrefix } from '@storekeep/proto/conventions/api-key'

/**
 * An API key as text: `skapi_` and, with a checksum, version (1 byte) ‖ id of the key (8 bytes) ‖ secret (32 random
 * bytes). The id finds the row, the secret proves possession; only a keyed hash of the secret is kept.
 */
export function writeApiKey(id: string, secret: Buffer): string {
  return encodeSecret(apiKeyPrefix, Buffer.concat([Buffer.of(version), flakeIdToBytes(id), secret]))
}

/** Reads what `writeApiKey` wrote; undefined for any other text. No I/O: mistyped keys cost nothing. */
export function readApiKey(text: string): { id: string; secret: Buffer } | undefined {
  if (text.length > maxTextLength) return undefined
  const bytes = decodeSecret(apiKeyPrefix, text)
  if (bytes?.length !== 1 + idBytes + secretBytes || bytes[0] !== version) return undefined
  const id = flakeIdFromBytes(bytes.subarray(1, 1 + idBytes))
  return id === undefined ? undefined : { id, secret: bytes.subarray(1 + idBytes) }
}

/**
 * The hash that is kept. 256 random bits need no slow hash; the pepper makes a stolen table useless by itself. The
 * first of the peppers is that of new keys.
 */
export function hashSecret([pepper]: readonly Buffer[], secret: Buffer): Buffer {
  if (!pepper) throw new Error('Hashing an API key needs a pepper.')
  return createHmac('sha256', pepper).update(secret).digest()
}

/**
 * Whether the kept hash is of this secret, with any of the peppers. Takes as long whichever it is, and if there is none.
 */
export function isHashOf(peppers: readonly Buffer[], secret: Buffer, kept: Buffer = noHash): boolean {
  const matches = peppers.map((pepper) => isSame(hashSecret([pepper], secret), kept))
  return matches.includes(true)
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

const noHash = Buffer.alloc(32)

export const secretBytes = 32
const version = 1
const idBytes = 8
const maxTextLength = 128
