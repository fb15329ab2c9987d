import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeSecret, encodeSecret } from '@storekeep/common/crypto'
import { flakeIdFromBytes, flakeIdToBytes } from '@storekeep/common/flake'
import { apiKeyPrefix } from '@storekeep/proto/agreements/api-key'

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

/** The hash that is kept. 256 random bits need no slow hash; the pepper makes a stolen table useless by itself. */
export function hashSecret(pepper: Buffer, secret: Buffer): Buffer {
  return createHmac('sha256', pepper).update(secret).digest()
}

/** Compares in constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

export const secretBytes = 32
const version = 1
const idBytes = 8
const maxTextLength = 128
