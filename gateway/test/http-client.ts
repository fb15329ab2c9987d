import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'

/** Sends requests and returns whole responses. Adds only the headers that a body requires. */
export function createHttpClient(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true })
  return {
    request: (method, path, input = {}) =>
      new Promise((resolve, reject) => {
        const body = input.raw ?? (input.json === undefined ? undefined : JSON.stringify(input.json))
        const headers: Record<string, string | number> = {}
        if (body !== undefined) {
          headers['content-type'] = 'application/json'
          headers['content-length'] = Buffer.byteLength(body)
        }
        for (const [name, value] of Object.entries(input.headers ?? {})) {
          if (value === undefined) delete headers[name]
          else headers[name] = value
        }
        const outgoing = send({ agent, host: '127.0.0.1', port, method, path, headers }, (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.once('error', reject)
          incoming.once('end', () => {
            const text = Buffer.concat(chunks).toString()
            const isJson = incoming.headers['content-type'] === 'application/json'
            resolve({
              method,
              path,
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              body: isJson && text !== '' ? JSON.parse(text) : undefined,
            })
          })
        })
        outgoing.once('error', reject)
        if (input.signal) input.signal.addEventListener('abort', () => outgoing.destroy())
        outgoing.end(body)
      }),
    close: () => agent.destroy(),
  }
}

export interface HttpClient {
  request(method: string, path: string, input?: RequestInput): Promise<HttpResponse>
  close(): void
}

export interface RequestInput {
  json?: unknown
  raw?: string | Buffer
  /** Undefined removes a default header. */
  headers?: Record<string, string | number | undefined>
  signal?: AbortSignal
}

export interface HttpResponse {
  method: string
  path: string
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The parsed JSON; undefined without a JSON body. */
  body: unknown
}
