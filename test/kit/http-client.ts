import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'

/** An HTTP client of one gateway: keeps its connections, follows nothing, retries nothing, adds no header. */
export function createHttpClient(baseUrl: string, options: HttpClientOptions = {}): HttpClient {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: options.maxSockets ?? 64 })

  async function request<Body>(method: string, path: string, input: RequestInput = {}): Promise<Answer<Body>> {
    const answer = await exchange(method, path, input)
    await options.onAnswer?.(answer)
    return answer as Answer<Body>
  }

  function exchange(method: string, path: string, input: RequestInput): Promise<Answer> {
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
      outgoing.once('timeout', () => outgoing.destroy(new Error(`${method} ${path} was not answered within 30 s`)))
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
  /** Sees every answer before the caller does; may throw. */
  onAnswer?: (answer: Answer) => void | Promise<void>
  maxSockets?: number
}

export interface RequestInput {
  /** Sent as JSON with `content-type: application/json` (unless the headers say otherwise). */
  json?: unknown
  /** Sent as it is. */
  raw?: string | Buffer
  /** Lower-case names; undefined takes away a header that would be sent by itself. */
  headers?: Record<string, string | string[] | undefined>
}

export interface Answer<Body = unknown> {
  method: string
  /** With the query. */
  path: string
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The parsed JSON; undefined when the answer has none. */
  body: Body
}

export interface HttpClient {
  readonly baseUrl: string
  request<Body = unknown>(method: string, path: string, input?: RequestInput): Promise<Answer<Body>>
  close(): void
}
