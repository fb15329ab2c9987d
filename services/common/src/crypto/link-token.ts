import { createHash } from 'node:crypto'

/** The token of a link: 28 characters of a-z and 2-7 that hold 140 random bits. */
export function createLinkToken(randomBytes: (size: number) => Buffer): string {
  const bits = [...randomBytes(18)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return Array.from({ length: 28 }, (_, n) => alphabet[Number.parseInt(bits.slice(n * 5, n * 5 + 5), 2)]).join('')
}

/** What is kept of the token. With 140 random bits behind it there is nothing to guess, so no salt and no stretching. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
