import https from 'node:https'
import type { Clock } from '../clock/index.ts'
import { http } from '../net/index.ts'
import { createAddressCheck, notPublic, parseTarget, type Target, type TargetRules } from '../targets/index.ts'
import { exchange, type ReceivedResponse } from './exchange.ts'
import { type FailureReason, failureOf, RequestFailure } from './request-failure.ts'
import { createResolver, type Resolve } from './resolve.ts'

export interface RequesterOptions {
  /** Whether URLs may start with http. */
  allowHttp: boolean
  /** Networks that requests may reach although they are not public, with their prefix lengths. */
  allowedNetworks: readonly string[]
  clock: Clock
  /** Default: the servers of `/etc/resolv.conf`. */
  resolve?: Resolve
}

export interface Requester {
  /**
   * Makes one request to a URL that a store chose. Never throws.
   *
   * - Connects only to public addresses (`createAddressCheck`). Every address of the host is checked, and the connection
   *   goes to a checked address, so that a second lookup with another result has no effect.
   * - Follows no redirect, verifies certificates, and decompresses nothing.
   * - Ends within `timeoutMs` in all, even if the receiver sends single bytes.
   */
  request(request: OutgoingRequest): Promise<RequestOutcome>
  /** Closes idle connections. */
  close(): Promise<void>
}

export interface OutgoingRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  /** Of POST; default: empty. */
  body?: string
  timeoutMs: number
  /** Bytes of the response's body to read. The connection is closed if there are more. */
  maxBodyBytes: number
  /** Ends the request with the failure `connection`. */
  signal?: AbortSignal
}

export type RequestOutcome =
  | ({ kind: 'response'; durationMs: number } & ReceivedResponse)
  | { kind: 'failure'; reason: FailureReason; message: string; durationMs: number }

export function createRequester({ allowHttp, allowedNetworks, clock, resolve }: RequesterOptions): Requester {
  const rules = { allowHttp, isAllowedAddress: createAddressCheck(allowedNetworks) }
  const resolver = resolve ? { resolve, close: () => {} } : createResolver()
  const agents = { 'http:': new http.Agent(pool), 'https:': new https.Agent(pool) }

  async function attempt(request: OutgoingRequest, signal: AbortSignal): Promise<ReceivedResponse> {
    const target = parseTarget(request.url, rules)
    const addresses = target.addresses ?? (await publicAddresses(target, rules, resolver.resolve, signal))
    const agent = target.url.protocol === 'https:' ? agents['https:'] : agents['http:']
    return exchange({ body: '', ...request, target, addresses, signal }, agent)
  }

  return {
    async request(request) {
      const startedAt = clock.monotonicMs()
      const durationMs = () => clock.monotonicMs() - startedAt
      const abort = new AbortController()
      const onAbort = () => abort.abort(new RequestFailure('connection', 'The request was aborted.'))
      const timer = setTimeout(() => abort.abort(timedOut), request.timeoutMs)
      request.signal?.addEventListener('abort', onAbort, { once: true })
      if (request.signal?.aborted) onAbort()
      try {
        const response = await attempt(request, abort.signal)
        return { kind: 'response', ...response, durationMs: durationMs() }
      } catch (error) {
        return { kind: 'failure', ...failureOf(error, abort.signal), durationMs: durationMs() }
      } finally {
        clearTimeout(timer)
        request.signal?.removeEventListener('abort', onAbort)
      }
    },
    async close() {
      resolver.close()
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

/** The addresses of a host that DNS returns. @throws RequestFailure if one of them is not public */
async function publicAddresses(
  { host }: Target,
  { isAllowedAddress }: TargetRules,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = await untilAborted(resolve(host), signal).catch((error: unknown) => {
    throw error === signal.reason ? error : new RequestFailure('dns', `The host ${host} was not found.`)
  })
  if (addresses.length === 0) throw new RequestFailure('dns', `The host ${host} has no address.`)
  if (!addresses.every(isAllowedAddress)) throw new RequestFailure('address-rejected', `The URL ${notPublic}.`)
  return addresses
}

/** The time limit. */
const timedOut = new RequestFailure('timeout', 'The receiver did not respond in time.')

/**
 * Idle connections, per host: enough for a busy endpoint, which then saves a TLS handshake per request. Closed sooner than
 * receivers usually do (after 2 s or more), because a request on a connection that is being closed is a failed attempt.
 */
const pool = { keepAlive: true, maxFreeSockets: 4, timeout: 1000 }

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
