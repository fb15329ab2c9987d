import type { ServerResponse } from 'node:http'
import { ServiceFault } from '../errors/index.ts'
import { type Grant, windowMs } from './limit.ts'

/** The fault of a request that a limit refused. `handleError` reports the limits of the request in the headers. */
export class RateLimited extends ServiceFault {
  readonly grants: readonly Grant[]

  constructor(retryAfterSeconds: number, grants: readonly Grant[] = []) {
    super('too-many-requests', `Too many requests. Retry in ${retryAfterSeconds} s.`, { retryAfterSeconds })
    this.grants = grants
  }
}

/** @param refused the limit that refused the request, one of the `grants` */
export function rateLimited(refused: Grant, grants: readonly Grant[]): RateLimited {
  return new RateLimited(seconds(refused.resetInMs), grants)
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
