import { type LazyLimit, type Limit, rateLimited, writeGrants } from '@storekeep/common/http'
import type { Response } from 'express'
import type { GatewayContext } from '../context.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { Step } from './step.ts'

/** Enforces the limit per API key before a write. A read is counted while it runs, by `handleRequest`. */
export function limitWrites(ctx: GatewayContext, { auth, method }: Endpoint): Step | undefined {
  if (auth !== 'api-key' || method === 'get') return undefined
  return (_req, res) => enforceApiKeyLimit(ctx, res)
}

/** @throws RateLimited */
export async function enforceApiKeyLimit(ctx: GatewayContext, res: Response): Promise<void> {
  const key = requestContextOf(res).apiKeyId ?? ''
  await enforceLimits(ctx, res, [{ policy: 'api-key', key, quota: ctx.config.limits.apiKeyPerMinute, leased: true }])
}

/** Counts the request against these limits and reports them in its headers. @throws RateLimited */
export async function enforceLimits(
  ctx: GatewayContext,
  res: Response,
  limits: readonly (Limit | LazyLimit)[],
): Promise<void> {
  const { grants, refused } = await ctx.limiter.take(limits)
  if (refused) throw rateLimited(refused, grants)
  if (!res.headersSent) writeGrants(res, grants)
}
