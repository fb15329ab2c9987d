import { type RequestOptions, request as sendPlain } from 'node:http'
import { request as sendSecure } from 'node:https'

/**
 * Sends exactly what it is given, over a new connection each time, as most plugins do. Unlike `fetch`, it can send a body with
 * GET and bytes that are not UTF-8.
 * @param baseUrl http or https, without a path
 * @param ca the certificate authority of an https server
 */
export function createSender(baseUrl: string, { timeoutMs = 15_000, ca }: SenderOptions = {}): Send {
  const { protocol, hostname, port } = new URL(baseUrl)
  const send = protocol === 'https:' ? sendSecure : sendPlain
  return ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const options: RequestOptions & { ca?: string } = {
        ...{ agent: false, hostname, port, method, path, timeout: timeoutMs },
        headers: {
          ...headers,
          ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
        },
        ...(ca !== undefined && { ca }),
      }
      const outgoing = send(options, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.once('error', reject)
        incoming.once('end', () => {
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
        })
      })
      outgoing.once('timeout', () => outgoing.destroy(new Error(`${method} ${path} got no response in time`)))
      outgoing.once('error', reject)
      outgoing.end(body)
    })
}

interface SenderOptions {
  timeoutMs?: number
  ca?: string
}

export type Send = (request: PluginRequest) => Promise<PluginResponse>

interface PluginRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: Buffer | undefined
}

interface PluginResponse {
  status: number
  text: string
}
