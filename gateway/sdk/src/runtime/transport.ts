import { ApiError, ConnectionError, RequestTimeoutError, UnexpectedResponseError } from '../errors.ts'
import type {
  ClientOptions,
  Fetch,
  RawRequest,
  RequestEvent,
  RequestOptions,
  ResponseEvent,
  WriteOptions,
} from './options.ts'
import { nextQuery, Page } from './page.ts'
import { readError } from './read-error.ts'
import { formatQuery } from './request.ts'
import {
  type ApiResponse,
  type PagePromise,
  pagePromise,
  type ResponsePromise,
  responsePromise,
} from './response-promise.ts'
import { isRetryable, retryDelayMs, wait } from './retry.ts'

export type { RequestOptions, WriteOptions } from './options.ts'
export type { PagePromise, ResponsePromise } from './response-promise.ts'

/** Sends requests for the generated methods. Credentials are kept in a closure, so no printed or serialized object contains them. */
export interface Transport {
  send<T>(method: string, path: string, content: Content, options?: WriteOptions): ResponsePromise<T>
  /** Like `send`, for a request that the caller describes. POST and PATCH get an idempotency key. */
  sendRaw<T>(request: RawRequest, options?: WriteOptions): ResponsePromise<T>
  /** @param field field of the body that holds the items, if the body is not itself the list */
  page<Item, Body>(path: string, query?: object, options?: RequestOptions, field?: string): PagePromise<Item, Body>
}

export interface Content {
  body?: unknown
  query?: object | undefined
  /** Whether the operation takes an idempotency key. */
  takesKey?: boolean
}

/**
 * @param prefix of all paths
 * @param headers of all requests
 */
export function createTransport(client: ClientOptions, prefix: string, headers: Record<string, string>): Transport {
  const baseUrl = checkBaseUrl(client.baseUrl)
  // Called without a receiver, which browsers require.
  const doFetch: Fetch = client.fetch ?? ((url, init) => fetch(url, init))

  function send<T>(method: string, target: string, content: Content, options: WriteOptions = {}): ResponsePromise<T> {
    return responsePromise(request<T>(method, target, content, options))
  }

  function sendRaw<T>({ method, path: target, query, body }: RawRequest, options?: WriteOptions): ResponsePromise<T> {
    return send<T>(
      method,
      checkPath(target),
      { query, body, takesKey: method === 'POST' || method === 'PATCH' },
      options,
    )
  }

  function page<Item, Body>(
    target: string,
    query?: object,
    options: RequestOptions = {},
    field?: string,
  ): PagePromise<Item, Body> {
    return pagePromise(loadPage<Item, Body>(target, formatQuery(query), options, field))
  }

  async function loadPage<Item, Body>(
    target: string,
    query: string,
    options: RequestOptions,
    field: string | undefined,
  ): Promise<ApiResponse<Page<Item, Body>>> {
    const url = query === '' ? target : `${target}?${query}`
    const response = await request<Body>('GET', url, {}, options)
    const items = itemsOf<Item>(response.data, field)
    if (!items) throw new UnexpectedResponseError('The response is not a list', response.status, response.requestId)
    const load = async (next: string) => (await loadPage<Item, Body>(target, next, options, field)).data
    return { ...response, data: new Page(items, response.data, nextQuery(response.headers.get('link')), load) }
  }

  async function request<T>(
    method: string,
    target: string,
    { body, query, takesKey = false }: Content,
    options: WriteOptions,
  ): Promise<ApiResponse<T>> {
    const search = formatQuery(query)
    const url = `${baseUrl}${prefix}${target}${search && `?${search}`}`
    const init: RequestInit = {
      method,
      // Another address would get the credential, or the wrong request.
      redirect: 'manual',
      headers: requestHeaders(options, takesKey, {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(options.requestId !== undefined && { 'x-request-id': options.requestId }),
        ...headers,
      }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const maxRetries = options.maxRetries ?? client.maxRetries ?? 2
    const isSafe = method === 'GET' || method === 'DELETE' || takesKey
    let isResponseLost = false

    for (let attempt = 1; ; attempt++) {
      options.signal?.throwIfAborted()
      const event: RequestEvent = { method, url, attempt }
      client.onRequest?.({ ...event })
      // The hook may have aborted it.
      options.signal?.throwIfAborted()
      const startedAt = performance.now()
      const outcome = await attemptOnce<T>(url, init, options)
      const error = outcome instanceof Error ? outcome : undefined
      // An earlier attempt deleted the record.
      const isDeleted = method === 'DELETE' && isResponseLost && error instanceof ApiError && error.status === 404
      const retryInMs = error && !isDeleted && attempt <= maxRetries ? delayBeforeRetry(error, attempt) : undefined
      report({
        ...event,
        status: statusOf(outcome),
        requestId: requestIdOf(outcome),
        durationMs: performance.now() - startedAt,
        error,
        retryInMs,
      })
      if (!(outcome instanceof Error)) return outcome
      if (isDeleted)
        return { data: undefined as T, status: 204, requestId: requestIdOf(outcome), headers: new Headers() }
      if (retryInMs === undefined) throw outcome
      isResponseLost ||= outcome instanceof ConnectionError || (statusOf(outcome) ?? 0) >= 500
      await wait(retryInMs, options.signal)
    }

    function delayBeforeRetry(error: Error, failed: number): number | undefined {
      if (!isRetryable(error, { isSafe, mayBeRunning: takesKey && isResponseLost })) return undefined
      return retryDelayMs(error, failed, client.maxRetryDelayMs ?? 30_000, Math.random())
    }
  }

  /** Ignores an error of the hook: the request has taken effect, so the call must not look as if it had failed. */
  function report(event: ResponseEvent): void {
    try {
      client.onResponse?.(event)
    } catch {}
  }

  /** @returns the response or why there is none. Throws only the reason of an aborted signal. */
  async function attemptOnce<T>(
    url: string,
    init: RequestInit,
    options: RequestOptions,
  ): Promise<ApiResponse<T> | Error> {
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 15_000
    const { signal } = options
    const controller = new AbortController()
    const abort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      controller.abort()
    }, timeoutMs)
    try {
      const response = await doFetch(url, { ...init, signal: controller.signal })
      const text = await response.text()
      return response.ok ? readSuccess<T>(response, text) : readError(response, text, baseUrl)
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      if (isLate) return new RequestTimeoutError(`No response within ${timeoutMs} ms`)
      return new ConnectionError(`Cannot reach ${baseUrl}, or its response broke off`, { cause })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  return { send, sendRaw, page }
}

/** The caller's headers, overridden by ours. Throws for an invalid header value. */
function requestHeaders(options: WriteOptions, takesKey: boolean, ours: Record<string, string>): Headers {
  const headers = new Headers(options.headers)
  headers.set('accept', 'application/json')
  for (const [name, value] of Object.entries(ours)) headers.set(name, value)
  const key = 'idempotency-key'
  if (takesKey) headers.set(key, options.idempotencyKey ?? headers.get(key) ?? crypto.randomUUID())
  return headers
}

function readSuccess<T>(response: Response, text: string): ApiResponse<T> | UnexpectedResponseError {
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? undefined
  if (status === 204) return { data: undefined as T, status, requestId, headers }
  try {
    return { data: JSON.parse(text), status, requestId, headers }
  } catch {
    return new UnexpectedResponseError(`The response with status ${status} is not JSON`, status, requestId)
  }
}

function itemsOf<Item>(body: unknown, field: string | undefined): Item[] | undefined {
  const items = field === undefined ? body : (body as Record<string, unknown> | null)?.[field]
  return Array.isArray(items) ? items : undefined
}

function statusOf(outcome: ApiResponse<unknown> | Error): number | undefined {
  return 'status' in outcome && typeof outcome.status === 'number' ? outcome.status : undefined
}

function requestIdOf(outcome: ApiResponse<unknown> | Error): string | undefined {
  return 'requestId' in outcome && typeof outcome.requestId === 'string' ? outcome.requestId : undefined
}

function checkBaseUrl(baseUrl: string): string {
  const { protocol, username, search, hash } = new URL(baseUrl)
  if ((protocol !== 'https:' && protocol !== 'http:') || username || search || hash) {
    throw new TypeError('baseUrl must be an http(s) URL without credentials, query and fragment')
  }
  return baseUrl.replace(/\/+$/, '')
}

/** @throws TypeError unless the path stays below the store's path */
function checkPath(target: unknown): string {
  if (typeof target !== 'string' || !/^\/[^?#\\]*$/.test(target) || /\/\.{1,2}(?:\/|$)|%2e|^\/\//i.test(target)) {
    throw new TypeError('path must start with one slash and contain neither a query nor dot segments')
  }
  return target
}

/** @throws TypeError which does not contain the value: it may be a secret */
export function checkToken(name: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[!-~]+$/.test(value)) {
    throw new TypeError(`${name} must be a non-empty string without spaces`)
  }
  return value
}

/** @throws TypeError unless it is an id */
export function checkStoreId(storeId: unknown): string {
  if (typeof storeId !== 'string' || !/^[1-9]\d{0,18}$/.test(storeId)) {
    throw new TypeError('storeId must be a string of digits, such as "411486491630370816"')
  }
  return storeId
}
