import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeSecretOfCell, encodeSecretOfCell } from '@storekeep/common/crypto'
import { cellOf, flakeIdFromBytes, flakeIdToBytes } from '@storekeep/common/flake'
import { apiKeyPrefix } from '@storekeep/proto/conventions/api-key'

/**
 * Encodes an API key: `skapi_`, then version (1 byte) ‖ key id (8 bytes) ‖ secret (32 random bytes) with a checksum, and the
 * cell of the id in place of the first two digits. The id finds the row, the secret proves possession. Only a keyed hash of the
 * secret is stored.
 */
export function encodeApiKey(id: string, secret: Buffer): string {
  const bytes = Buffer.concat([Buffer.of(version), flakeIdToBytes(id), secret])
  return encodeSecretOfCell(apiKeyPrefix, cellOf(id), bytes)
}

/** Decodes an API key. @returns undefined for malformed text, so mistyped keys cost no query */
export function decodeApiKey(text: string): { id: string; secret: Buffer } | undefined {
  if (text.length > maxTextLength) return undefined
  const { cell, bytes } = decodeSecretOfCell(apiKeyPrefix, text) ?? {}
  if (bytes?.length !== 1 + idBytes + secretBytes || bytes[0] !== version) return undefined
  const id = flakeIdFromBytes(bytes.subarray(1, 1 + idBytes))
  return id === undefined || cellOf(id) !== cell ? undefined : { id, secret: bytes.subarray(1 + idBytes) }
}

/**
 * Hashes a secret for storage with the first pepper. 256 random bits need no slow hash; the pepper makes a stolen table
 * useless by itself.
 */
export function hashSecret([pepper]: readonly Buffer[], secret: Buffer): Buffer {
  if (!pepper) throw new Error('hashSecret needs at least one pepper')
  return createHmac('sha256', pepper).update(secret).digest()
}

/** Compares the secret with a stored hash, using every pepper. Takes constant time, also without a stored hash. */
export function matchesHash(peppers: readonly Buffer[], secret: Buffer, stored: Buffer = noHash): boolean {
  const matches = peppers.map((pepper) => isEqual(hashSecret([pepper], secret), stored))
  return matches.includes(true)
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

const noHash = Buffer.alloc(32)

export const secretBytes = 32
const version = 1
const idBytes = 8
const maxTextLength = 128
