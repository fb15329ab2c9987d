import { randomUUID } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** An HTTP client of one gateway that keeps its connections. Unless it `retries`, it sends exactly what it is given. */
export function createHttpClient(baseUrl: string, options: HttpClientOptions = {}): HttpClient {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: options.maxSockets ?? 64 })

  async function request<Body>(method: string, path: string, input: RequestInput = {}): Promise<HttpResponse<Body>> {
    const response = await (options.retries ? untilAvailable(method, path, input) : exchange(method, path, input))
    await options.onResponse?.(response)
    return response as HttpResponse<Body>
  }

  async function untilAvailable(method: string, path: string, input: RequestInput): Promise<HttpResponse> {
    const isKeyed = method === 'POST' || method === 'PATCH'
    const headers = isKeyed ? { 'idempotency-key': randomUUID(), ...input.headers } : input.headers
    const deadline = Date.now() + 60_000
    for (let response = await exchange(method, path, { ...input, headers }), attempts = 1; ; attempts += 1) {
      // A retry can find its first attempt still running.
      const isStillRunning = attempts > 1 && response.status === 409 && response.text.includes('still running')
      if ((response.status !== 503 && !isStillRunning) || Date.now() > deadline) return response
      await pause(1000 * Number(response.headers['retry-after'] ?? 1))
      response = await exchange(method, path, { ...input, headers })
    }
  }

  function exchange(method: string, path: string, input: RequestInput): Promise<HttpResponse> {
    const body = encodeBody(input)
    const headers: Record<string, string | string[]> = {}
    if (body !== undefined) {
      headers['content-type'] = 'application/json'
      headers['content-length'] = String(Buffer.byteLength(body))
    }
    for (const [name, value] of Object.entries(input.headers ?? {})) {
      if (value === undefined) delete headers[name]
      else headers[name] = value
    }
    return new Promise((resolve, reject) => {
      const outgoing = send({ agent, hostname, port, method, path, headers, timeout: 30_000 }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.once('error', reject)
        incoming.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const { statusCode: status = 0, headers } = incoming
          resolve({ method, path, status, headers, text, body: parseBody(text, headers) })
        })
      })
      outgoing.once('timeout', () => outgoing.destroy(new Error(`${method} ${path} got no response within 30 s`)))
      outgoing.once('error', reject)
      outgoing.end(body)
    })
  }

  return { baseUrl, request, close: () => agent.destroy() }
}

function encodeBody({ json, raw }: RequestInput): string | Buffer | undefined {
  if (raw !== undefined) return raw
  return json === undefined ? undefined : JSON.stringify(json)
}

function parseBody(text: string, headers: IncomingHttpHeaders): unknown {
  if (text === '' || !headers['content-type']?.includes('json')) return undefined
  return JSON.parse(text)
}

export interface HttpClientOptions {
  /**
   * Sends a request again while the response is 503, after the time in Retry-After, as a client should. POST and PATCH
   * get an idempotency key for that.
   */
  retries?: boolean
  /** Gets every final response before the caller does; may throw. */
  onResponse?: (response: HttpResponse) => void | Promise<void>
  maxSockets?: number
}

export interface RequestInput {
  /** Sent as JSON with `content-type: application/json` (unless the headers say otherwise). */
  json?: unknown
  /** Sent unchanged. */
  raw?: string | Buffer
  /** Lower-case names; undefined removes a header that the client would add. */
  headers?: Record<string, string | string[] | undefined> | undefined
}

export interface HttpResponse<Body = unknown> {
  method: string
  /** Includes the query. */
  path: string
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The parsed JSON; undefined when the response has none. */
  body: Body
}

export interface HttpClient {
  readonly baseUrl: string
  request<Body = unknown>(method: string, path: string, input?: RequestInput): Promise<HttpResponse<Body>>
  close(): void
}
