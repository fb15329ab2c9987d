/** Options of both clients. */
export interface ClientOptions {
  /** Address of the gateway, such as `https://api.example.com`. */
  baseUrl: string
  /** Id of the store. Ids are strings. */
  storeId: string
  /** Maximum number of retries of a failed request. Default: 2. */
  maxRetries?: number | undefined
  /** Timeout per attempt in milliseconds, including reading the body. Default: 15000. */
  timeoutMs?: number | undefined
  /** Maximum retry delay in milliseconds. If `Retry-After` is longer, the error is thrown immediately. Default: 30000. */
  maxRetryDelayMs?: number | undefined
  /** Replaces the global `fetch`, for example to use a proxy. It must honor `signal`. */
  fetch?: Fetch | undefined
  /** Called before each attempt. An error that it throws ends the call. */
  onRequest?: ((event: RequestEvent) => void) | undefined
  /** Called after each attempt. Errors that it throws are ignored. */
  onResponse?: ((event: ResponseEvent) => void) | undefined
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of one request. */
export interface RequestOptions {
  /** Aborts the request, and the waits between its attempts. The call then throws the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Overrides the client's value. */
  maxRetries?: number | undefined
  /** Overrides the client's value. */
  timeoutMs?: number | undefined
  /** Sent as `x-request-id`, which the gateway logs. */
  requestId?: string | undefined
  /** Additional headers, such as `traceparent`. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** Options of a request that takes an idempotency key. */
export interface WriteOptions extends RequestOptions {
  /**
   * Identifies the write, so that it takes effect once. Generated for each call by default, which covers retries. Give
   * your own, such as the id of your order, to also cover calls that you repeat. Replaces an `Idempotency-Key` in `headers`.
   */
  idempotencyKey?: string | undefined
}

/** A request that has no method yet. */
export interface RawRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below the store's path, such as `/customers/411486491630370816`. Encode ids that may contain other characters. */
  path: string
  query?: object | undefined
  /** Sent as JSON. */
  body?: unknown
}

/** An attempt. Contains no credential and no body. */
export interface RequestEvent {
  method: string
  url: string
  /** 1 for the first attempt. */
  attempt: number
}

/** Result of an attempt. */
export interface ResponseEvent extends RequestEvent {
  /** Undefined if no complete response arrived. */
  status: number | undefined
  requestId: string | undefined
  durationMs: number
  /** Why the attempt failed. */
  error: Error | undefined
  /** Milliseconds until the next attempt, if there is one. */
  retryInMs: number | undefined
}
