export { cellOfLinkToken, createLinkToken, hashLinkToken } from './link-token.ts'
export { createSecretBox, type SecretBox } from './secret-box.ts'
export { decodeSecret, decodeSecretOfCell, encodeSecret, encodeSecretOfCell } from './secret-text.ts'
export { signatureHeaders } from './standard-webhooks.ts'
