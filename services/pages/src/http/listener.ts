import { randomInt, randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { errors, ServiceFault } from '@storekeep/common/errors'
import { addressGroup, callerAddress, limitConcurrency } from '@storekeep/common/http'
import {
  attributes,
  formatTraceparent,
  type Span,
  startTrace,
  unrecordedContext,
  withSpan,
} from '@storekeep/common/telemetry'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import type { Site } from '../config.ts'
import type { PagesContext } from '../context.ts'
import { chooseLanguage, type Language } from '../texts/language.ts'
import { faultPage, type Retry } from '../views/fault-page.ts'
import { assertSameOrigin } from './assert-same-origin.ts'
import { enforceLimit } from './limits.ts'
import { matchRoute } from './match-route.ts'
import { createFormReader } from './read-body.ts'
import type { PageRequest, Reply, Route } from './route.ts'
import { send } from './send.ts'
import { statusOf } from './status-of.ts'

/** Serves the routes: limits, origin check, handler, error pages, log line, metric and span of each request. */
export function createListener(ctx: PagesContext, routes: readonly Route[]): RequestListener {
  const assertConcurrency = limitConcurrency(ctx)
  const find = matchRoute(ctx.config.sites, routes)
  return (req, res) => {
    const observed = observe(ctx, req, res)
    void withSpan(observed.span, async () => {
      const language = chooseLanguage(req.headers['accept-language'])
      try {
        assertConcurrency(req, res)
        const found = find(req)
        observed.route = found.route?.path ?? 'none'
        observed.isMachine = found.route?.isMachine === true
        observed.site = found.site
        observed.query = found.query
        const reply = await handle(ctx, req, { ...found, language, observed })
        await send(ctx, req, res, reply)
      } catch (thrown) {
        const fault = thrown instanceof ServiceFault ? thrown : errors.internal(thrown)
        observed.code = fault.code
        logFault(ctx, fault, observed)
        await send(ctx, req, res, await errorReply(ctx, req, fault, { language, observed }))
      }
    })
  }
}

async function handle(
  ctx: PagesContext,
  req: IncomingMessage,
  { route, site, params, query, language, observed }: Matched,
): Promise<Reply> {
  const address = callerAddress(req, ctx.config.http.trustedProxies)
  const { addressPerMinute, formAddressPerMinute } = ctx.config.limits
  if (!route || !site) throw errors.notFound('page')
  const form = createFormReader(ctx, req, address)
  if (!route.isMachine) {
    enforceLimit(ctx, 'address', addressGroup(address), addressPerMinute)
    if (route.method === 'POST') {
      assertSameOrigin(req, site.origin)
      observed.form = form
      enforceLimit(ctx, 'form-address', addressGroup(address), formAddressPerMinute)
    }
  }
  const request: PageRequest = {
    req,
    site,
    params,
    query,
    address,
    language,
    form,
    signal: observed.signal,
    call: (storeId) => {
      observed.storeId = storeId
      return {
        storeId,
        actor: { type: ActorType.ANONYMOUS },
        requestId: observed.requestId,
        traceparent: observed.traceparent,
        deadlineMs: Math.max(1, observed.startedAt + ctx.config.calls.timeoutMs - performance.now()),
        signal: observed.signal,
      }
    },
  }
  return route.handle(ctx, request)
}

interface Matched extends ReturnType<ReturnType<typeof matchRoute>> {
  language: Language
  observed: Observed
}

interface Observed {
  /** Template of the path. */
  route: string
  site: Site | undefined
  query: URLSearchParams
  isMachine: boolean
  storeId: string | undefined
  code: string | undefined
  readonly requestId: string
  readonly traceparent: string
  readonly traceId: string
  readonly span: Span | undefined
  readonly startedAt: number
  readonly signal: AbortSignal
  /** Reads the submitted form. Set once it is known that a page of ours sent it. */
  form: (() => Promise<URLSearchParams>) | undefined
}

/** Tokens are in the query, so neither it nor the path is ever logged: only the template of the route is. */
function observe(ctx: PagesContext, req: IncomingMessage, res: ServerResponse): Observed {
  const span = startTrace('http request', 'server')
  const context = span?.context ?? unrecordedContext()
  const controller = new AbortController()
  const observed: Observed = {
    route: 'none',
    site: undefined,
    query: new URLSearchParams(),
    isMachine: false,
    storeId: undefined,
    code: undefined,
    requestId: randomUUID(),
    traceparent: formatTraceparent(context),
    traceId: context.traceId,
    span,
    startedAt: performance.now(),
    signal: controller.signal,
    form: undefined,
  }
  res.once('close', () => {
    const isComplete = res.writableFinished
    if (!isComplete) controller.abort()
    report(ctx, req.method ?? '', isComplete ? res.statusCode : clientClosedRequest, observed)
  })
  return observed
}

/** nginx's status for a client that disconnected. Only logged, never sent. */
const clientClosedRequest = 499

function report({ log, metrics }: PagesContext, method: string, status: number, observed: Observed): void {
  const { route, span, storeId, code, requestId, traceId, startedAt } = observed
  const seconds = (performance.now() - startedAt) / 1000
  const labels = { http_request_method: method, http_route: route, http_response_status_code: status }
  metrics.requestDuration.observe(labels, seconds)
  if (span) {
    span.rename(`${method} ${route}`)
    span.set({
      [attributes.httpRequestMethod]: method,
      [attributes.httpRoute]: route,
      [attributes.httpResponseStatusCode]: status,
      [attributes.storeId]: storeId,
    })
    if (status >= 500) span.fail(code ?? String(status))
    span.end()
  }
  const fields = {
    http_method: method,
    route,
    status,
    duration_ms: Math.round(seconds * 1e6) / 1e3,
    request_id: requestId,
    trace_id: traceId,
    store_id: storeId,
    code,
  }
  log.info(fields, 'request')
}

function logFault({ log }: PagesContext, fault: ServiceFault, { route, requestId, traceId, signal }: Observed): void {
  const isOurs = fault.code === 'internal-error' || (fault.code === 'service-unavailable' && !signal.aborted)
  if (!isOurs) return
  const fields = { err: fault, code: fault.code, route, request_id: requestId, trace_id: traceId }
  log[fault.code === 'internal-error' ? 'error' : 'warn'](fields, 'request failed')
}

async function errorReply(
  ctx: PagesContext,
  req: IncomingMessage,
  fault: ServiceFault,
  { language, observed }: Pick<Matched, 'language' | 'observed'>,
): Promise<Reply> {
  const { retryAfterSeconds } = fault
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  if (observed.isMachine) {
    return {
      status: statusOf(fault),
      headers: { ...headers, 'content-type': 'text/plain' },
      body: `${fault.message}\n`,
    }
  }
  const retry = await retryOf(ctx, req, fault, observed)
  return faultPage({ fault, language, site: observed.site, headers, retry })
}

/** How the shopper repeats the request. Undefined if that cannot help, or if the form cannot be read. */
async function retryOf(
  { config: { sites, providerOrigins } }: PagesContext,
  { method }: IncomingMessage,
  { retryAfterSeconds }: ServiceFault,
  { site, query, form }: Observed,
): Promise<Retry | undefined> {
  if (retryAfterSeconds === undefined) return undefined
  const isPost = method === 'POST'
  const sent = isPost ? await form?.().catch(() => undefined) : query
  if (sent === undefined) return undefined
  const attempt = /^\d{1,2}$/.test(sent.get(attemptField) ?? '') ? Number(sent.get(attemptField)) : 0
  const fields = new URLSearchParams(sent)
  fields.set(attemptField, String(Math.min(attempt + 1, maxAutomaticAttempts)))
  return {
    method: isPost ? 'post' : 'get',
    fields,
    // A payment can lead back to the store, whose address is not known while the session cannot be loaded.
    origins: site === sites.checkout ? ['http:', 'https:'] : providerOrigins,
    delaySeconds: attempt < maxAutomaticAttempts ? retryDelay(retryAfterSeconds, attempt) : undefined,
  }
}

/** Counts how often a page has repeated its request. */
const attemptField = 'attempt'

/** About a quarter of an hour. */
const maxAutomaticAttempts = 18

/**
 * Longer than Retry-After, which is one second during an outage: pages stay open for all of it, and their requests must neither
 * arrive together nor use up the limits of the shopper.
 */
function retryDelay(retryAfterSeconds: number, attempt: number): number {
  return Math.max(retryAfterSeconds, Math.min(5 * 2 ** attempt, 60)) + randomInt(4)
}
