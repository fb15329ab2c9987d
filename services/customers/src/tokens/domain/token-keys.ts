/** A key that signs or verifies customer tokens. */
export interface TokenKey {
  /** 1 to 255; tells keys apart in the claims. */
  id: number
  /** 32 random bytes. */
  secret: Buffer
}

/**
 * Reads `<id>:<base64url of 32 bytes>[,…]`, the signing key first.
 * @throws Error for `env.custom`: the message continues the setting's name and contains no key
 */
export function parseTokenKeys(text: string): readonly TokenKey[] {
  const keys = text.split(',').map((part) => parseKey(part.trim()))
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('must not use a key id twice')
  return keys
}

function parseKey(text: string): TokenKey {
  const [, id, encoded] = /^([1-9]\d{0,2}):([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  if (id === undefined || encoded === undefined || Number(id) > maxKeyId) throw new Error(expected)
  return { id: Number(id), secret: Buffer.from(encoded, 'base64url') }
}

const maxKeyId = 255
const expected = 'must be <id from 1 to 255>:<base64url of 32 bytes>, comma-separated, the signing key first'
