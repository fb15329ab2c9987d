import * as http from 'node:http'
import * as https from 'node:https'

/** Sends `count` requests over `connections` connections, each after the response to the previous one. */
export async function sendAll({ url, count, connections, reconnects = false, make }: Load): Promise<LoadResult> {
  const { protocol, hostname, port } = new URL(url)
  const options = { keepAlive: !reconnects, maxSockets: connections }
  const isSecure = protocol === 'https:'
  // The certificate is of the benchmark itself. Without cached sessions, every connection has a full handshake.
  const secure = { ...options, rejectUnauthorized: false, maxCachedSessions: 0 }
  const agent = isSecure ? new https.Agent(secure) : new http.Agent(options)
  const request = isSecure ? https.request : http.request
  const latencies: number[] = []
  let sent = 0
  let failed = 0
  let bytes = 0
  const started = performance.now()
  const worker = async () => {
    while (sent < count) {
      const { body, ...target } = make(sent)
      sent += 1
      const begun = performance.now()
      const { status, length } = await send(request, { ...target, hostname, port, agent }, body)
      latencies.push(performance.now() - begun)
      bytes += length
      if (status !== 200) failed += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return { failed, perSecond: count / seconds, p50: at(0.5), p99: at(0.99), bytes: bytes / count }
}

function send(
  request: typeof http.request,
  options: http.RequestOptions,
  body: string | undefined,
): Promise<{ status: number; length: number }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, length }))
      response.once('error', reject)
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

export interface Load {
  url: string
  count: number
  connections: number
  /** Whether each request has a new connection; false by default. */
  reconnects?: boolean
  /** The request with this number, starting at 0. */
  make(index: number): LoadRequest
}

export interface LoadRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface LoadResult {
  /** The number of responses other than 200. */
  failed: number
  perSecond: number
  /** In milliseconds. */
  p50: number
  p99: number
  /** The mean length of the response bodies. */
  bytes: number
}
