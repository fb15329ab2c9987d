export { base62Decode, base62Encode } from './base62.ts'
export { crc32Base62 } from './crc32.ts'
export { createSecretBox, type SecretBox } from './secret-box.ts'
export { decodeSecret, encodeSecret } from './secret-text.ts'
