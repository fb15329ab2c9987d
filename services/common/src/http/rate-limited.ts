import type { ServerResponse } from 'node:http'
import { ServiceFault } from '../errors/index.ts'
import { type Grant, windowMs } from './limit.ts'

/** The fault of a request that exceeds a limit. `handleError` reports the limits of the request in the headers. */
export class RateLimited extends ServiceFault {
  readonly grants: readonly Grant[]

  constructor(retryAfterSeconds: number, grants: readonly Grant[] = []) {
    super('too-many-requests', `Too many requests. Retry in ${retryAfterSeconds} s.`, { retryAfterSeconds })
    this.grants = grants
  }
}

/** @param exceeded the limit that rejected the request, which is among the `grants` */
export function rateLimited(exceeded: Grant, grants: readonly Grant[]): RateLimited {
  return new RateLimited(seconds(exceeded.resetInMs), grants)
}

/** Reports the state of limits in the headers of the response. */
export function writeGrants(res: ServerResponse, grants: readonly Grant[]): void {
  if (grants.length === 0) return
  res.setHeader(
    'ratelimit-policy',
    grants.map(({ limit }) => `"${limit.policy}";q=${limit.quota};w=${windowMs / 1000}`),
  )
  res.setHeader(
    'ratelimit',
    grants.map(({ limit, remaining, resetInMs }) => `"${limit.policy}";r=${remaining};t=${seconds(resetInMs)}`),
  )
}

function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000))
}
