import { randomInt } from 'node:crypto'
import type { ServiceFault } from '@storekeep/common/errors'
import { httpStatuses } from '@storekeep/common/http'
import type { PagesConfig } from '../config.ts'
import { faultPage, type Retry } from '../views/fault-page.ts'
import type { Reply } from './route.ts'
import type { SiteRequest } from './site-request.ts'

/** The reply to a request that failed. */
export async function faultReply(config: PagesConfig, request: SiteRequest, fault: ServiceFault): Promise<Reply> {
  const status = statuses[fault.code]
  if (request.isMachine) return { status, headers: { 'content-type': 'text/plain' }, body: `${fault.message}\n` }
  return faultPage(request, { fault, status, retry: await retryOf(config, request, fault) })
}

/** Like the gateway, except that a missing session is 404, and internal errors are 503: the shopper can retry. */
const statuses = { ...httpStatuses, unauthorized: 404, 'internal-error': 503 }

/** How the shopper repeats the request. Undefined if that cannot help, or if the form cannot be read. */
async function retryOf(
  { sites, providerOrigins }: PagesConfig,
  request: SiteRequest,
  { retryAfterSeconds }: ServiceFault,
): Promise<Retry | undefined> {
  if (retryAfterSeconds === undefined) return undefined
  const isPost = request.req.method === 'POST'
  const sent = isPost ? await sentForm(request) : request.query
  if (sent === undefined) return undefined
  const attempt = /^\d{1,2}$/.test(sent.get(attemptField) ?? '') ? Number(sent.get(attemptField)) : 0
  const fields = new URLSearchParams(sent)
  fields.set(attemptField, String(Math.min(attempt + 1, maxAutomaticAttempts)))
  return {
    method: isPost ? 'post' : 'get',
    fields,
    // A payment can redirect to the store, whose address is not known while the session cannot be loaded.
    origins: request.site === sites.checkout ? ['http:', 'https:'] : providerOrigins,
    delaySeconds: attempt < maxAutomaticAttempts ? retryDelay(retryAfterSeconds, attempt) : undefined,
  }
}

async function sentForm(request: SiteRequest): Promise<URLSearchParams | undefined> {
  return request.isOwnForm ? request.form().catch(() => undefined) : undefined
}

/** Counts how often a page has repeated its request. */
const attemptField = 'attempt'

/** About a quarter of an hour. */
const maxAutomaticAttempts = 18

/**
 * Longer than Retry-After, which is one second during an outage: pages stay open throughout, and their requests must neither arrive
 * together nor use up the shopper's limits.
 */
function retryDelay(retryAfterSeconds: number, attempt: number): number {
  return Math.max(retryAfterSeconds, Math.min(5 * 2 ** attempt, 60)) + randomInt(4)
}
