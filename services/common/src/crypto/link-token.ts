import { createHash } from 'node:crypto'

/** Creates the token of a checkout or portal link: 140 random bits as 28 characters of a-z and 2-7. */
export function createLinkToken(randomBytes: (size: number) => Buffer): string {
  const bits = [...randomBytes(18)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return Array.from({ length: 28 }, (_, n) => alphabet[Number.parseInt(bits.slice(n * 5, n * 5 + 5), 2)]).join('')
}

/** The hash under which a token is stored. 140 random bits cannot be guessed, so it needs no salt or key stretching. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
