import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** Encrypts small values that must be readable again, such as a kept answer that holds a token. */
export interface SecretBox {
  /**
   * Encrypts with the first key.
   * @param context where the value belongs (a primary key, say): a value moved elsewhere does not open
   */
  seal(plain: Uint8Array, context: string): Buffer
  /**
   * Decrypts what any of the keys sealed.
   * @throws Error when the key is not among ours, the context is another, or a single bit was changed
   */
  open(sealed: Uint8Array, context: string): Buffer
}

/**
 * A box of AES-256-GCM keys. Rotation: put the new key first and keep the old one until everything it sealed has
 * gone.
 *
 * @param keys base64url of 32 bytes each, several separated by commas; the first seals, all open
 * @throws Error when a key has another length. Suits `env.custom`: the message names no key
 */
export function createSecretBox(keys: string): SecretBox {
  const ring = keys.split(',').map(readKey)
  const [current] = ring
  if (!current) throw new Error('must hold at least one key')

  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, current.key, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([formatVersion, current.id, nonce, cipher.getAuthTag(), sealed])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes.length < headerBytes || bytes[0] !== formatVersion[0]) throw new Error('This is not a sealed value.')
      const nonceStart = 1 + idBytes
      const tagStart = nonceStart + nonceBytes
      const id = bytes.subarray(1, nonceStart)
      const entry = ring.find((one) => one.id.equals(id))
      if (!entry) throw new Error('The value was sealed with a key that is not among ours.')
      const decipher = createDecipheriv(algorithm, entry.key, bytes.subarray(nonceStart, tagStart))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(tagStart, headerBytes))
      return Buffer.concat([decipher.update(bytes.subarray(headerBytes)), decipher.final()])
    },
  }
}

const algorithm = 'aes-256-gcm'
/** Layout: version, key id, nonce, tag, then the encrypted bytes. */
const formatVersion = Buffer.from([1])
const idBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headerBytes = 1 + idBytes + nonceBytes + tagBytes

interface Key {
  /** The first bytes of the key's hash; says which key to open with and gives nothing away. */
  id: Buffer
  key: KeyObject
}

function readKey(text: string): Key {
  const bytes = Buffer.from(text.trim(), 'base64url')
  if (bytes.length !== 32) throw new Error('must hold keys of 32 bytes in base64url')
  return { id: createHash('sha256').update(bytes).digest().subarray(0, idBytes), key: createSecretKey(bytes) }
}
