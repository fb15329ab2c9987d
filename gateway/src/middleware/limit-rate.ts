import type { ServiceFault } from '@storekeep/common/errors'
import type { RequestHandler, Response } from 'express'
import type { GatewayContext } from '../context.ts'
import { httpFaults } from '../errors/http-faults.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { requestContextOf } from '../http/request-context.ts'
import { type Grant, type LazyLimit, type Limit, windowMs } from '../limits/limit.ts'

/** Enforces the limit per API key before a write. A read is counted while it runs, by `handleRequest`. */
export function limitWrites(ctx: GatewayContext, { auth, method }: Endpoint): RequestHandler {
  if (auth !== 'api-key' || method === 'get') return (_req, _res, next) => next()
  return async (_req, res, next) => {
    await enforceApiKeyLimit(ctx, res)
    next()
  }
}

/** @throws ServiceFault `too-many-requests` */
export async function enforceApiKeyLimit(ctx: GatewayContext, res: Response): Promise<void> {
  const key = requestContextOf(res).apiKeyId ?? ''
  await enforceLimits(ctx, res, [{ policy: 'api-key', key, quota: ctx.config.limits.apiKeyPerMinute }])
}

/** Counts the request against these limits and reports them in its headers. @throws ServiceFault `too-many-requests` */
export async function enforceLimits(
  ctx: GatewayContext,
  res: Response,
  limits: readonly (Limit | LazyLimit)[],
): Promise<void> {
  const { grants, refused } = await ctx.limiter.take(limits)
  if (!res.headersSent) writeGrants(res, grants)
  if (refused) throw tooManyRequests(refused)
}

/**
 * Call before a service is asked to verify a credential.
 * @throws ServiceFault `too-many-requests` when this address sent too many invalid credentials
 */
export function assertNotThrottled(ctx: GatewayContext, res: Response, address: string): void {
  const refused = ctx.failedAuthThrottle.blockedFor(address)
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
    grants.map(({ limit, remaining, resetInMs }) => `"${limit.policy}";r=${remaining};t=${seconds(resetInMs)}`),
  )
}

function tooManyRequests({ resetInMs }: Grant): ServiceFault {
  return httpFaults.tooManyRequests(seconds(resetInMs))
}

function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000))
}
