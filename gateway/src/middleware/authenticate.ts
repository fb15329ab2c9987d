import { type ErrorCode, errors, isFault, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { CallOptions } from '@storekeep/common/grpc'
import { callerAddress, type FailureThrottle } from '@storekeep/common/http'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import type { Request, Response } from 'express'
import { readCredential } from '../auth/credential.ts'
import { checkCustomerToken } from '../auth/customer-token.ts'
import type { GatewayContext } from '../context.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { Step } from './step.ts'

/** Establishes the caller and the store, by the kind of authentication that the endpoint declares. */
export function authenticate(ctx: GatewayContext, { auth }: Endpoint): Step {
  switch (auth) {
    case 'api-key':
      return (req, res) => identifyApiKey(ctx, req, res)
    case 'customer':
      return async (req, res) => {
        identifyStore(req, res)
        await identifyCustomer(ctx, req, res)
      }
    case 'customer-optional':
      return async (req, res) => {
        identifyStore(req, res)
        if (req.headers.authorization?.trim()) await identifyCustomer(ctx, req, res).catch(continueAnonymously)
      }
    case 'none':
      return (req, res) => {
        identifyStore(req, res)
        requestContextOf(res).actor = { type: ActorType.ANONYMOUS }
      }
  }
}

async function identifyApiKey(ctx: GatewayContext, req: Request, res: Response): Promise<void> {
  const requestContext = requestContextOf(res)
  const key = readCredential(req.headers.authorization, 'APIKey')
  const apiKey = await verify(ctx, req, res, key, ctx.failedApiKeys, (options, beforeCall) =>
    ctx.apiKeys.check(key, options, beforeCall),
  )
  requestContext.storeId = apiKey.storeId
  requestContext.apiKeyId = apiKey.id
  requestContext.scopes = apiKey.scopes
  requestContext.actor = { type: ActorType.API_KEY, id: apiKey.id }
}

function identifyStore(req: Request, res: Response): void {
  const requestContext = requestContextOf(res)
  requestContext.challenge = 'Customer realm="storekeep"'
  const storeId = req.headers[storeHeader]
  if (storeId === undefined) throw errors.validationFailed([violation(storeHeader, 'required', 'is required')])
  if (typeof storeId !== 'string' || !isFlakeId(storeId)) {
    throw errors.validationFailed([violation(storeHeader, 'format', 'must be an id')])
  }
  requestContext.storeId = storeId
}

async function identifyCustomer(ctx: GatewayContext, req: Request, res: Response): Promise<void> {
  const requestContext = requestContextOf(res)
  const token = readCredential(req.headers.authorization, 'Customer')
  const customer = await verify(ctx, req, res, token, ctx.failedTokens, (options, beforeCall) =>
    checkCustomerToken(ctx, token, options, beforeCall),
  )
  requestContext.customer = customer
  requestContext.actor = { type: ActorType.CUSTOMER, id: customer.id }
}

/** Runs the check of a credential under the throttle of its kind. Only checks that cost a call to a service are counted. */
async function verify<T>(
  ctx: GatewayContext,
  req: Request,
  res: Response,
  credential: string,
  throttle: FailureThrottle,
  check: (options: CallOptions, beforeCall: () => void) => Promise<T>,
): Promise<T> {
  const address = () => callerAddress(req, ctx.config.http.trustedProxies)
  let calledService = false
  const beforeCall = () => {
    throttle.assertAllowed(address(), credential)
    calledService = true
  }
  try {
    const accepted = await check(requestContextOf(res).callOptions(ctx.config.calls.credentialTimeoutMs), beforeCall)
    if (calledService) throttle.recordSuccess(credential)
    return accepted
  } catch (error) {
    if (calledService && isFault(error, ...rejections)) throttle.recordFailure(address(), credential)
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
