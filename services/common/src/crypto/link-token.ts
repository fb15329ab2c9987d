import { createHash } from 'node:crypto'

/**
 * Creates the token of a checkout or portal link: 140 random bits as 28 characters of a-z and 2-7. Such a link names no store,
 * so outside of cell 0 the token starts with the number of the cell: `7-…` (decision 0039).
 */
export function createLinkToken(randomBytes: (size: number) => Buffer, cell = 0): string {
  const bits = [...randomBytes(18)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const random = Array.from({ length: 28 }, (_, n) => alphabet[Number.parseInt(bits.slice(n * 5, n * 5 + 5), 2)])
  return `${cell === 0 ? '' : `${cell}-`}${random.join('')}`
}

/** The cell in the token of a link, without knowing whether the token exists; undefined for malformed text. */
export function cellOfLinkToken(text: string): number | undefined {
  const [token, cell = '0'] = /^(?:([1-9]\d?)-)?[a-z2-7]{28}$/.exec(text) ?? []
  return token === undefined ? undefined : Number(cell)
}

/** The hash under which a token is stored. 140 random bits cannot be guessed, so it needs no salt or key stretching. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
