import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** Encrypts small values that must be readable later, such as a stored response that contains a token. */
export interface SecretBox {
  /**
   * Encrypts with the first key.
   * @param context identifies where the value is stored, such as a primary key; it does not open under another context
   */
  seal(plain: Uint8Array, context: string): Buffer
  /**
   * Decrypts a value that was encrypted with any of the keys.
   * @throws Error if the key is unknown, the context differs, or the value was modified
   */
  open(sealed: Uint8Array, context: string): Buffer
  /** The first bytes of every value that was encrypted with the first key; no other value starts with them. */
  readonly currentPrefix: Buffer
}

/**
 * Creates a secret box with AES-256-GCM. To rotate keys, put the new key first and keep the old one until no value
 * encrypted with it is left.
 *
 * @param keys see `parseKeys`; the first encrypts, all decrypt
 */
export function createSecretBox(keys: string): SecretBox {
  const ring = parseKeys(keys).map(identify)
  const [current] = ring
  if (!current) throw new Error('must contain at least one key')

  const currentPrefix = Buffer.concat([formatVersion, current.id])
  return {
    currentPrefix,
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, current.key, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([currentPrefix, nonce, cipher.getAuthTag(), sealed])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes.length < headerBytes || bytes[0] !== formatVersion[0])
        throw new Error('The value is not in the format of sealed values.')
      const nonceStart = 1 + idBytes
      const tagStart = nonceStart + nonceBytes
      const id = bytes.subarray(1, nonceStart)
      const entry = ring.find((one) => one.id.equals(id))
      if (!entry) throw new Error('The value was sealed with an unknown key.')
      const decipher = createDecipheriv(algorithm, entry.key, bytes.subarray(nonceStart, tagStart))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(tagStart, headerBytes))
      return Buffer.concat([decipher.update(bytes.subarray(headerBytes)), decipher.final()])
    },
  }
}

const algorithm = 'aes-256-gcm'
/** Layout: version, key id, nonce, tag, encrypted bytes. */
const formatVersion = Buffer.from([1])
const idBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headerBytes = 1 + idBytes + nonceBytes + tagBytes

interface Key {
  /** The first bytes of the key's hash: identifies the key without revealing it. */
  id: Buffer
  key: KeyObject
}

/**
 * Parses comma-separated keys of 32 bytes in base64url.
 * @throws Error if a key has another length; the message does not quote it, as `env.custom` requires
 */
export function parseKeys(text: string): readonly Buffer[] {
  const keys = text.split(',').map((one) => Buffer.from(one.trim(), 'base64url'))
  if (keys.every(({ length }) => length === 32)) return keys
  throw new Error('must be comma-separated keys of 32 bytes in base64url')
}

function identify(bytes: Buffer): Key {
  return { id: createHash('sha256').update(bytes).digest().subarray(0, idBytes), key: createSecretKey(bytes) }
}
