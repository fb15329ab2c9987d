import { fromBinary } from '@bufbuild/protobuf'
import { decodeSecret } from '@storekeep/common/crypto'
import { errors, ServiceFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { customerTokenMacBytes, customerTokenPrefix } from '@storekeep/proto/conventions/customer-token'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import { type TokenClaims, TokenClaimsSchema } from '@storekeep/proto/customers/v1/token'
import type { GatewayContext } from '../context.ts'

/**
 * The customer that a token signs in, asked of its owner, who alone may say yes. What its form or Redis already
 * rejects never gets there.
 *
 * @param mayAsk throws when nobody may be asked about a token
 * @throws ServiceFault `unauthorized` for a token that is malformed, forged, expired or revoked, `forbidden` for one
 * of another store, `service-unavailable` when it cannot be told
 */
export async function checkCustomerToken(
  ctx: CheckDependencies,
  token: string,
  options: CallOptions,
  mayAsk: () => void,
): Promise<Customer> {
  const { tokenChecks } = ctx.metrics
  const claims = readClaims(token)
  if (!claims) {
    tokenChecks.inc({ outcome: 'malformed' })
    throw errors.unauthorized()
  }
  mayAsk()
  if (await ctx.tokenEpochs.isRevoked(claims)) {
    tokenChecks.inc({ outcome: 'revoked' })
    throw errors.unauthorized()
  }
  try {
    const { customer } = await ctx.customers.verifyToken({ token }, options)
    if (!customer) throw errors.internal(new Error('VerifyToken answered no customer'))
    tokenChecks.inc({ outcome: 'accepted' })
    return customer
  } catch (error) {
    tokenChecks.inc({ outcome: outcomeOf(error) })
    throw error
  }
}

type CheckDependencies = Pick<GatewayContext, 'tokenEpochs' | 'customers' | 'metrics'>

/** What the token says of itself. Anyone can write that; only a rejection may follow from it. */
function readClaims(token: string): TokenClaims | undefined {
  if (token.length > maxTokenLength) return undefined
  const bytes = decodeSecret(customerTokenPrefix, token)
  if (!bytes || bytes.length <= customerTokenMacBytes) return undefined
  try {
    return fromBinary(TokenClaimsSchema, bytes.subarray(0, -customerTokenMacBytes))
  } catch {
    return undefined
  }
}

const maxTokenLength = 400

function outcomeOf(error: unknown): string {
  if (!(error instanceof ServiceFault)) return 'unavailable'
  switch (error.code) {
    case 'unauthorized':
      return 'refused'
    case 'forbidden':
    case 'not-found':
      return 'other_store'
    default:
      return 'unavailable'
  }
}
