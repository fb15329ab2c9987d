import { type ErrorCode, errors, isFault, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { CallOptions } from '@storekeep/common/grpc'
import { type FailureThrottle, methodNotAllowed } from '@storekeep/common/http'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { readCredential } from '../auth/credential.ts'
import { checkCustomerToken } from '../auth/customer-token.ts'
import type { GameServerIdentity } from '../auth/game-server-tokens.ts'
import type { GatewayContext } from '../context.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import type { Step } from './step.ts'

/** Establishes the caller and the store, by the kind of authentication that the endpoint declares. */
export function authenticate(ctx: GatewayContext, { auth }: Endpoint): Step {
  switch (auth) {
    case 'api-key':
      return (request) => identifyApiKey(ctx, request)
    case 'game-server':
      return (request) => identifyGameServer(ctx, request)
    case 'customer':
      return async (request) => {
        identifyStore(request)
        await identifyCustomer(ctx, request)
      }
    case 'customer-optional':
      return async (request) => {
        identifyStore(request)
        if (request.req.headers.authorization?.trim()) await identifyCustomer(ctx, request).catch(continueAnonymously)
      }
    case 'none':
      return (request) => {
        identifyStore(request)
        request.actor = { type: ActorType.ANONYMOUS }
      }
  }
}

async function identifyApiKey(ctx: GatewayContext, request: GatewayRequest): Promise<void> {
  const key = readCredential(request.req.headers.authorization, 'APIKey')
  const apiKey = await verify(ctx, request, key, ctx.failedApiKeys, (options, beforeCall) =>
    ctx.apiKeys.check(key, options, beforeCall),
  )
  request.storeId = apiKey.storeId
  request.apiKeyId = apiKey.id
  request.scopes = apiKey.scopes
  request.actor = { type: ActorType.API_KEY, id: apiKey.id }
}

async function identifyGameServer(ctx: GatewayContext, request: GatewayRequest): Promise<void> {
  request.challenge = 'Gameserver realm="storekeep"'
  const { req, res } = request
  // A HEAD would take commands that its caller never sees.
  if (req.method === 'HEAD') {
    const allowed = ['GET', 'POST', 'DELETE']
    res.setHeader('allow', allowed.join(', '))
    throw methodNotAllowed(allowed)
  }
  const token = readCredential(req.headers.authorization, 'Gameserver')
  const identify = (outdated: GameServerIdentity | undefined) =>
    verify(ctx, request, token, ctx.failedGameServerTokens, (options, beforeCall) =>
      ctx.gameServerTokens.check(token, options, { outdated, beforeCall }),
    )
  const server = await identify(undefined)
  request.storeId = server.storeId
  request.gameServer = { identity: server, identify }
  request.actor = { type: ActorType.GAME_SERVER, id: server.id }
}

function identifyStore(request: GatewayRequest): void {
  request.challenge = 'Customer realm="storekeep"'
  const storeId = request.req.headers[storeHeader]
  if (storeId === undefined) throw errors.validationFailed([violation(storeHeader, 'required', 'is required')])
  if (typeof storeId !== 'string' || !isFlakeId(storeId)) {
    throw errors.validationFailed([violation(storeHeader, 'format', 'must be an id')])
  }
  request.storeId = storeId
}

async function identifyCustomer(ctx: GatewayContext, request: GatewayRequest): Promise<void> {
  const token = readCredential(request.req.headers.authorization, 'Customer')
  const customer = await verify(ctx, request, token, ctx.failedTokens, (options, beforeCall) =>
    checkCustomerToken(ctx, token, options, beforeCall),
  )
  request.customer = customer
  request.actor = { type: ActorType.CUSTOMER, id: customer.id }
}

/** Runs the check of a credential under the throttle of its kind. Only checks that cost a call to a service are counted. */
async function verify<T>(
  ctx: GatewayContext,
  request: GatewayRequest,
  credential: string,
  throttle: FailureThrottle,
  check: (options: CallOptions, beforeCall: () => void) => Promise<T>,
): Promise<T> {
  let calledService = false
  const beforeCall = () => {
    throttle.assertAllowed(request.address, credential)
    calledService = true
  }
  try {
    const accepted = await check(request.callOptions(ctx.config.calls.credentialTimeoutMs), beforeCall)
    if (calledService) throttle.recordSuccess(credential)
    return accepted
  } catch (error) {
    if (calledService && isFault(error, ...rejections)) throttle.recordFailure(request.address, credential)
    throw error
  }
}

/** `forbidden` and `not-found`: a token of another store, or of no store. */
const rejections: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'not-found']

/** An optional token that cannot be checked right now counts as absent (decision 0001). */
function continueAnonymously(error: unknown): void {
  if (!isFault(error, 'service-unavailable')) throw error
}

const storeHeader = 'x-service-store-id'
