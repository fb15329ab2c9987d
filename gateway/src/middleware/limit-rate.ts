import { type LazyLimit, type Limit, rateLimited, writeGrants } from '@storekeep/common/http'
import type { GatewayContext } from '../context.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import type { Step } from './step.ts'

/** Enforces the limit per API key before a write. Reads are counted concurrently, in `handleRequest`. */
export function limitWrites(ctx: GatewayContext, { auth, method }: Endpoint): Step | undefined {
  if (auth !== 'api-key' || method === 'get') return undefined
  return (request) => enforceApiKeyLimit(ctx, request)
}

/** @throws RateLimited */
export async function enforceApiKeyLimit(ctx: GatewayContext, request: GatewayRequest): Promise<void> {
  const key = request.apiKeyId ?? ''
  await enforceLimits(ctx, request, [
    { policy: 'api-key', key, quota: ctx.config.limits.apiKeyPerMinute, leased: true },
  ])
}

/** Counts the request against these limits and reports them in its headers. @throws RateLimited */
export async function enforceLimits(
  ctx: GatewayContext,
  { res }: GatewayRequest,
  limits: readonly (Limit | LazyLimit)[],
): Promise<void> {
  const { grants, rejected } = await ctx.limiter.take(limits)
  if (rejected) throw rateLimited(rejected, grants)
  if (!res.headersSent) writeGrants(res, grants)
}
