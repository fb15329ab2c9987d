import { randomBytes } from 'node:crypto'
import { create, toBinary } from '@bufbuild/protobuf'
import { encodeSecret } from '@storekeep/common/crypto'
import { TokenClaimsSchema } from '@storekeep/proto/customers/v1/token'

let counter = 0

/** A flake id that no other test has. */
export function newId(): string {
  counter += 1
  return String(411_486_491_000_000_000n + BigInt(process.pid) * 1_000_000n + BigInt(counter))
}

/** A key that is well-formed; whether it is known is for the fake stores service to say. */
export function newApiKey(): string {
  return encodeSecret('skapi', randomBytes(41))
}

/** A token that is well-formed; whether it is valid is for the fake customers service to say. */
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
