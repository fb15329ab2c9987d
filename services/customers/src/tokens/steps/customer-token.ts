import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@storekeep/common/clock'
import { decodeSecret, encodeSecret } from '@storekeep/common/crypto'
import { decode, encode } from '@storekeep/proto/codec'
import { customerTokenMacBytes, customerTokenPrefix } from '@storekeep/proto/conventions/customer-token'
import { type TokenClaims, TokenClaimsSchema } from '@storekeep/proto/customers/v1/token'
import type { TokenKey } from '../domain/token-keys.ts'
import { type Epochs, isExpired, tokenLifetimeSeconds } from '../domain/token-rules.ts'

/**
 * Encodes and decodes customer tokens: the claims and an HMAC-SHA256 over exactly their bytes. The first key signs, all
 * keys verify. To rotate, put the new key first and drop the old one after 30 days.
 */
export function createTokenCodec(keys: readonly TokenKey[], deps: CodecDependencies): TokenCodec {
  const [signing] = keys
  if (!signing) throw new Error('createTokenCodec needs at least one key')

  return {
    mint(subject) {
      const issuedAt = Math.floor(deps.clock.now().getTime() / 1000)
      const lifetime = subject.claimed ? tokenLifetimeSeconds.claimed : tokenLifetimeSeconds.verified
      const bytes = encode(TokenClaimsSchema, {
        version: layoutVersion,
        keyId: signing.id,
        issuedAt,
        expiresAt: issuedAt + lifetime,
        tokenId: deps.randomBytes(8).readBigUInt64BE().toString(),
        ...subject,
      })
      return encodeSecret(customerTokenPrefix, Buffer.concat([bytes, macOf(signing, bytes)]))
    },
    read(text) {
      const decoded = decodeSecret(customerTokenPrefix, text)
      if (!decoded || decoded.length <= customerTokenMacBytes || decoded.length > maxBytes)
        return { outcome: 'malformed' }
      const bytes = decoded.subarray(0, -customerTokenMacBytes)
      const mac = decoded.subarray(-customerTokenMacBytes)
      // Nothing is parsed before its MAC is verified, so the key id in the claims is not used to select the key.
      if (!keys.some((key) => timingSafeEqual(macOf(key, bytes), mac))) return { outcome: 'forged' }
      const claims = decode(TokenClaimsSchema, bytes)
      if (claims.version !== layoutVersion) return { outcome: 'malformed' }
      if (isExpired(claims, deps.clock.now().getTime())) return { outcome: 'expired' }
      return { outcome: 'genuine', claims }
    },
  }
}

export interface TokenCodec {
  mint(subject: TokenSubject): string
  /** Checks everything but revocation, which only the database knows. */
  read(text: string): TokenReading
}

export interface TokenSubject extends Epochs {
  storeId: string
  customerId: string
  claimed: boolean
}

export type TokenReading = { outcome: 'malformed' | 'forged' | 'expired' } | { outcome: 'genuine'; claims: TokenClaims }

const layoutVersion = 1
/** Claims take up to 61 bytes; longer input is rejected before computing a MAC. */
const maxBytes = 256

interface CodecDependencies {
  clock: Pick<Clock, 'now'>
  randomBytes: (size: number) => Buffer
}

function macOf(key: TokenKey, bytes: Uint8Array): Buffer {
  return createHmac('sha256', key.secret).update(bytes).digest()
}
