import { randomBytes } from 'node:crypto'
import { create, toBinary } from '@bufbuild/protobuf'
import { encodeSecret, encodeSecretOfCell } from '@storekeep/common/crypto'
import { TokenClaimsSchema } from '@storekeep/proto/customers/v1/token'

let counter = 0

/** A unique snowflake id. */
export function newId(): string {
  counter += 1
  return String(411_486_491_000_000_000n + BigInt(process.pid) * 1_000_000n + BigInt(counter))
}

/** A well-formed key. The fake stores service determines whether it is known. */
export function newApiKey(cell = 0): string {
  return encodeSecretOfCell('skapi', cell, Buffer.concat([Buffer.of(1), randomBytes(40)]))
}

/** A well-formed token of a game server. The fake delivery service determines whether it is known. */
export function newGameServerToken(cell = 0): string {
  return encodeSecretOfCell('skgs', cell, Buffer.concat([Buffer.of(1), randomBytes(40)]))
}

/** A well-formed token. The fake customers service determines whether it is valid. */
export function newToken({ storeId, customerId, storeEpoch = 0, customerEpoch = 0 }: TokenParts): string {
  const claims = create(TokenClaimsSchema, {
    version: 1,
    keyId: 1,
    storeId,
    customerId,
    storeEpoch,
    customerEpoch,
    issuedAt: 1_790_000_000,
    expiresAt: 2_000_000_000,
    tokenId: randomBytes(8).readBigUInt64BE().toString(),
  })
  return encodeSecret('skcus', Buffer.concat([toBinary(TokenClaimsSchema, claims), randomBytes(32)]))
}

interface TokenParts {
  storeId: string
  customerId: string
  storeEpoch?: number
  customerEpoch?: number
}
