import { rateLimited } from '@storekeep/common/http'
import type { PagesContext } from '../context.ts'

/** Counts a request. @throws RateLimited */
export function enforceLimit({ windows, metrics }: PagesContext, policy: string, key: string, quota: number): void {
  const [grant] = windows.take([{ policy, key, quota }])
  if (grant === undefined || grant.granted) return
  metrics.limitedRequests.inc({ policy })
  throw rateLimited(grant, [grant])
}
