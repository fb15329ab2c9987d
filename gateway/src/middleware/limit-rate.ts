import type { ServiceFault } from '@storekeep/common/errors'
import type { RequestHandler, Response } from 'express'
import type { GatewayContext } from '../context.ts'
import { httpFaults } from '../errors/http-faults.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { exchangeOf } from '../http/exchange.ts'
import { type Grant, type Limit, windowMs } from '../limits/limit.ts'

/**
 * The limit per API key. A write waits for its grant; a read asks while it is being answered, and is answered only
 * once it has it. Limits of single endpoints are asked by `answer`, since they count by what is in the input.
 */
export function limitRate(ctx: GatewayContext, { auth, method }: Endpoint): RequestHandler {
  if (auth !== 'api-key') return (_req, _res, next) => next()
  const quota = ctx.config.limits.apiKeyPerMinute
  return async (_req, res, next) => {
    const exchange = exchangeOf(res)
    const admission = admit(ctx, res, [{ policy: 'api-key', key: exchange.apiKeyId ?? '', quota }])
    if (method === 'get') {
      exchange.admission = admission
      // Who waits for it decides what a refusal means; until then it is nobody's unhandled rejection.
      admission.catch(() => {})
    } else await admission
    next()
  }
}

/** Counts the request and says so in its headers. @throws ServiceFault `too-many-requests` */
export async function admit(ctx: GatewayContext, res: Response, limits: readonly Limit[]): Promise<void> {
  const { grants, refused } = await ctx.limiter.take(limits)
  if (!res.headersSent) writeGrants(res, grants)
  if (refused) throw tooManyRequests(refused)
}

/**
 * For a credential that somebody has to be asked about.
 * @throws ServiceFault `too-many-requests` when too many from this address were asked about in vain
 */
export function requireUnrefused(ctx: GatewayContext, res: Response, address: string): void {
  const refused = ctx.refusals.closedFor(address)
  if (!refused) return
  writeGrants(res, [refused])
  throw tooManyRequests(refused)
}

function writeGrants(res: Response, grants: readonly Grant[]): void {
  res.setHeader(
    'ratelimit-policy',
    grants.map(({ limit }) => `"${limit.policy}";q=${limit.quota};w=${windowMs / 1000}`),
  )
  res.setHeader(
    'ratelimit',
    grants.map(({ limit, remaining, opensInMs }) => `"${limit.policy}";r=${remaining};t=${seconds(opensInMs)}`),
  )
}

function tooManyRequests({ opensInMs }: Grant): ServiceFault {
  return httpFaults.tooManyRequests(seconds(opensInMs))
}

function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000))
}
