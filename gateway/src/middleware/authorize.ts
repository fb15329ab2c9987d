import { errors, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { GatewayContext } from '../context.ts'
import { httpFaults } from '../errors/http-faults.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import { enforceApiKeyLimit } from './limit-rate.ts'
import type { Step } from './step.ts'

/**
 * Restricts an API key to its store and its scopes. A rejected request counts against the key's rate limit too. Never
 * reveals whether another store exists.
 */
export function authorize(ctx: GatewayContext, { auth, scope }: Endpoint): Step | undefined {
  if (auth !== 'api-key') return undefined
  return (request) => {
    const rejection = rejectionOf(scope, request)
    if (rejection === undefined) return undefined
    return enforceApiKeyLimit(ctx, request).then(() => {
      throw rejection
    })
  }
}

function rejectionOf(scope: Endpoint['scope'], { params, storeId, scopes }: GatewayRequest) {
  const requestedId = String(params.storeId)
  if (!isFlakeId(requestedId)) return errors.validationFailed([violation('storeId', 'format', 'must be an id')])
  if (requestedId !== storeId) return httpFaults.otherStore()
  if (scope === undefined || !scopes.has(scope)) return httpFaults.missingScope(scope)
  return undefined
}
