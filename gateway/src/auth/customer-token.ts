import { decodeSecret } from '@storekeep/common/crypto'
import { errors, ServiceFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { decode } from '@storekeep/proto/codec'
import { customerTokenMacBytes, customerTokenPrefix } from '@storekeep/proto/conventions/customer-token'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import { type TokenClaims, TokenClaimsSchema } from '@storekeep/proto/customers/v1/token'
import type { GatewayContext } from '../context.ts'

/**
 * Verifies a customer token with the customers service, which alone may accept it. Tokens that are malformed, or
 * revoked according to Redis, are rejected without a call.
 *
 * @param beforeCall runs before Redis or the service is called; throws to prevent the call
 * @throws ServiceFault `unauthorized` for a token that is malformed, forged, expired or revoked, `forbidden` for one
 * of another store, `service-unavailable` when it cannot be verified now
 */
export async function checkCustomerToken(
  ctx: CheckDependencies,
  token: string,
  options: CallOptions,
  beforeCall: () => void,
): Promise<Customer> {
  const { tokenChecks } = ctx.metrics
  const claims = readClaims(token)
  if (!claims) {
    tokenChecks.inc({ outcome: 'malformed' })
    throw errors.unauthorized()
  }
  beforeCall()
  if (await ctx.tokenEpochs.isRevoked(claims)) {
    tokenChecks.inc({ outcome: 'revoked' })
    throw errors.unauthorized()
  }
  try {
    const { customer } = await ctx.customers.verifyToken({ token }, options)
    if (!customer) throw errors.internal(new Error('VerifyToken returned no customer'))
    tokenChecks.inc({ outcome: 'accepted' })
    return customer
  } catch (error) {
    tokenChecks.inc({ outcome: outcomeOf(error) })
    throw error
  }
}

type CheckDependencies = Pick<GatewayContext, 'tokenEpochs' | 'customers' | 'metrics'>

/** The unverified claims of a token. Anyone can forge them, so they may only cause a rejection. */
function readClaims(token: string): TokenClaims | undefined {
  if (token.length > maxTokenLength) return undefined
  const bytes = decodeSecret(customerTokenPrefix, token)
  if (!bytes || bytes.length <= customerTokenMacBytes) return undefined
  try {
    return decode(TokenClaimsSchema, bytes.subarray(0, -customerTokenMacBytes))
  } catch {
    return undefined
  }
}

const maxTokenLength = 400

function outcomeOf(error: unknown): string {
  if (!(error instanceof ServiceFault)) return 'unavailable'
  switch (error.code) {
    case 'unauthorized':
      return 'rejected'
    case 'forbidden':
    case 'not-found':
      return 'other_store'
    default:
      return 'unavailable'
  }
}
