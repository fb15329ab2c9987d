import { type ErrorCode, errors, ServiceFault, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { CallOptions } from '@storekeep/common/grpc'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import type { Request, RequestHandler, Response } from 'express'
import { readCredential } from '../auth/credential.ts'
import { checkCustomerToken } from '../auth/customer-token.ts'
import type { GatewayContext } from '../context.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { exchangeOf } from '../http/exchange.ts'
import { callerAddress } from '../limits/peer-address.ts'
import { requireUnrefused } from './limit-rate.ts'

/** Who is calling, and for which store, by the kind of authentication that the endpoint declares. */
export function authenticate(ctx: GatewayContext, { auth, path }: Endpoint): RequestHandler {
  const identify = identification(ctx, auth)
  return async (req, res, next) => {
    exchangeOf(res).route = path
    await identify(req, res)
    next()
  }
}

type Identify = (req: Request, res: Response) => Promise<void>

function identification(ctx: GatewayContext, auth: Endpoint['auth']): Identify {
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
        if (req.headers.authorization !== undefined) await identifyCustomer(ctx, req, res).catch(goOnWithout)
      }
    case 'none':
      return async (req, res) => {
        identifyStore(req, res)
        exchangeOf(res).actor = { type: ActorType.ANONYMOUS }
      }
  }
}

async function identifyApiKey(ctx: GatewayContext, req: Request, res: Response): Promise<void> {
  const exchange = exchangeOf(res)
  const key = readCredential(req.headers.authorization, 'APIKey')
  if (key === undefined) throw errors.unauthorized()
  const apiKey = await ask(ctx, req, res, (options, mayAsk) => ctx.apiKeys.check(key, options, mayAsk))
  exchange.storeId = apiKey.storeId
  exchange.apiKeyId = apiKey.id
  exchange.scopes = apiKey.scopes
  exchange.actor = { type: ActorType.API_KEY, id: apiKey.id }
}

function identifyStore(req: Request, res: Response): void {
  const exchange = exchangeOf(res)
  exchange.challenge = 'Customer realm="storekeep"'
  const storeId = req.headers[storeHeader]
  if (storeId === undefined) throw errors.validationFailed([violation(storeHeader, 'required', 'is required')])
  if (typeof storeId !== 'string' || !isFlakeId(storeId)) {
    throw errors.validationFailed([violation(storeHeader, 'format', 'must be an id')])
  }
  exchange.storeId = storeId
}

async function identifyCustomer(ctx: GatewayContext, req: Request, res: Response): Promise<void> {
  const exchange = exchangeOf(res)
  const token = readCredential(req.headers.authorization, 'Customer')
  if (token === undefined) throw errors.unauthorized()
  const customer = await ask(ctx, req, res, (options, mayAsk) => checkCustomerToken(ctx, token, options, mayAsk))
  exchange.customer = customer
  exchange.actor = { type: ActorType.CUSTOMER, id: customer.id }
}

/** Only refusals that somebody was asked about are counted; what we refuse by ourselves costs nothing. */
async function ask<T>(
  ctx: GatewayContext,
  req: Request,
  res: Response,
  check: (options: CallOptions, mayAsk: () => void) => Promise<T>,
): Promise<T> {
  const address = callerAddress(req, ctx.config.http.trustedProxies)
  let asked = false
  const mayAsk = () => {
    requireUnrefused(ctx, res, address)
    asked = true
  }
  try {
    return await check(exchangeOf(res).callOptions(ctx.config.calls.credentialTimeoutMs), mayAsk)
  } catch (error) {
    if (asked && error instanceof ServiceFault && refusals.has(error.code)) ctx.refusals.count(address)
    throw error
  }
}

/** `forbidden`, `not-found`: a token of another store, or for none. */
const refusals: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'forbidden', 'not-found'])

/** Where a token is optional, not being able to check it is as if none was sent (docs/decisions/0008). */
function goOnWithout(error: unknown): void {
  if (!(error instanceof ServiceFault) || error.code !== 'service-unavailable') throw error
}

const storeHeader = 'x-service-store-id'
