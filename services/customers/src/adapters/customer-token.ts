import { createHmac, timingSafeEqual } from 'node:crypto'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { decodeSecret, encodeSecret } from '@storekeep/common/crypto'
import type { Clock } from '@storekeep/common/service'
import { customerTokenMacBytes, customerTokenPrefix } from '@storekeep/proto/conventions/customer-token'
import { type TokenClaims, TokenClaimsSchema } from '@storekeep/proto/customers/v1/token'
import type { TokenKey } from '../domain/token-keys.ts'
import { type Epochs, isExpired, tokenLifetimeSeconds } from '../domain/token-rules.ts'

/**
 * Makes and reads the text of customer tokens: the claims, and an HMAC-SHA256 over exactly their bytes. The first
 * key signs, all keys verify, so a key is replaced by putting the new one first and dropping the old one 30 days
 * later.
 */
export function createTokenCodec(keys: readonly TokenKey[], deps: CodecDependencies): TokenCodec {
  const [signing] = keys
  if (!signing) throw new Error('A token codec needs a key.')

  return {
    mint(subject) {
      const issuedAt = Math.floor(deps.clock.now().getTime() / 1000)
      const lifetime = subject.claimed ? tokenLifetimeSeconds.claimed : tokenLifetimeSeconds.verified
      const claims = create(TokenClaimsSchema, {
        version: layoutVersion,
        keyId: signing.id,
        issuedAt,
        expiresAt: issuedAt + lifetime,
        tokenId: deps.randomBytes(8).readBigUInt64BE().toString(),
        ...subject,
      })
      const bytes = toBinary(TokenClaimsSchema, claims)
      return encodeSecret(customerTokenPrefix, Buffer.concat([bytes, macOf(signing, bytes)]))
    },
    read(text) {
      const decoded = decodeSecret(customerTokenPrefix, text)
      if (!decoded || decoded.length <= customerTokenMacBytes || decoded.length > maxBytes)
        return { outcome: 'malformed' }
      const bytes = decoded.subarray(0, -customerTokenMacBytes)
      const mac = decoded.subarray(-customerTokenMacBytes)
      // Which key it was follows from the MAC alone: nothing is parsed before it is known to be ours.
      if (!keys.some((key) => timingSafeEqual(macOf(key, bytes), mac))) return { outcome: 'forged' }
      const claims = fromBinary(TokenClaimsSchema, bytes)
      if (claims.version !== layoutVersion) return { outcome: 'malformed' }
      if (isExpired(claims, deps.clock.now().getTime())) return { outcome: 'expired' }
      return { outcome: 'genuine', claims }
    },
  }
}

export interface TokenCodec {
  /** A new token for the customer. */
  mint(subject: TokenSubject): string
  /** What a text is as far as the text alone can tell; whether it was revoked is the table's to say. */
  read(text: string): TokenReading
}

export interface TokenSubject extends Epochs {
  storeId: string
  customerId: string
  claimed: boolean
}

export type TokenReading = { outcome: 'malformed' | 'forged' | 'expired' } | { outcome: 'genuine'; claims: TokenClaims }

const layoutVersion = 1
/** Claims of today have at most 61 bytes; anything far longer is not worth a MAC. */
const maxBytes = 256

interface CodecDependencies {
  clock: Clock
  randomBytes: (size: number) => Buffer
}

function macOf(key: TokenKey, bytes: Uint8Array): Buffer {
  return createHmac('sha256', key.secret).update(bytes).digest()
}
