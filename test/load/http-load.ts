import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'

/** Sends `count` requests over `connections` persistent connections, each after the response to the previous one. */
export async function sendAll({ url, count, connections, make }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  const latencies: number[] = []
  let sent = 0
  let failed = 0
  let bytes = 0
  const started = performance.now()
  const worker = async () => {
    while (sent < count) {
      const { body, ...options } = make(sent)
      sent += 1
      const begun = performance.now()
      const { status, length } = await send({ ...options, hostname, port, agent }, body)
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

function send(options: RequestOptions, body: string | undefined): Promise<{ status: number; length: number }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response: IncomingMessage) => {
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
