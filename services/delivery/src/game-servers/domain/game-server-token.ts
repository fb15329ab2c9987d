import { createHash } from 'node:crypto'
import { decodeSecretOfCell, encodeSecretOfCell } from '@storekeep/common/crypto'
import { cellOf, flakeIdFromBytes, flakeIdToBytes } from '@storekeep/common/flake'
import { gameServerTokenPrefix } from '@storekeep/proto/conventions/game-server-token'

/**
 * Encodes the token of a game server: `skgs_`, then version (1 byte) ‖ id of the server (8 bytes) ‖ secret (32 random bytes) with
 * a checksum, and the cell of the id in place of the first two digits, like an API key. Only a hash of the secret is stored.
 */
export function encodeToken(id: string, secret: Buffer): string {
  const bytes = Buffer.concat([Buffer.of(version), flakeIdToBytes(id), secret])
  return encodeSecretOfCell(gameServerTokenPrefix, cellOf(id), bytes)
}

/** Decodes a token. @returns undefined for malformed text, so that mistyped tokens cost no query */
export function decodeToken(text: string): { id: string; secret: Buffer } | undefined {
  if (text.length > maxTextLength) return undefined
  const { cell, bytes } = decodeSecretOfCell(gameServerTokenPrefix, text) ?? {}
  if (bytes?.length !== 1 + idBytes + tokenSecretBytes || bytes[0] !== version) return undefined
  const id = flakeIdFromBytes(bytes.subarray(1, 1 + idBytes))
  return id === undefined || cellOf(id) !== cell ? undefined : { id, secret: bytes.subarray(1 + idBytes) }
}

/** Hashes a secret for storage. 256 random bits need neither a slow hash nor a pepper. */
export function hashTokenSecret(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest()
}

export const tokenSecretBytes = 32
const version = 1
const idBytes = 8
const maxTextLength = 100
