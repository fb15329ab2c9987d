import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'

/** Forwards requests to a gateway and changes its responses, except for /openapi.json. */
export async function startAlteringProxy(
  gatewayUrl: string,
  alter: (response: Alterable) => Alterable,
): Promise<{ url: string; close(): void }> {
  async function forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method, url = '/', headers } = req
    const body = await buffer(req)
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, headers: { ...headers, host: new URL(gatewayUrl).host } }
      request(gatewayUrl + url, options, resolve)
        .on('error', reject)
        .end(body)
    })
    const original = { status: incoming.statusCode ?? 0, text: await text(incoming) }
    const { status, text: altered } = url === '/openapi.json' ? original : alter(original)
    const { 'content-length': _ofOriginal, 'transfer-encoding': _chunked, ...rest } = incoming.headers
    res.writeHead(status, rest).end(altered)
  }
  const server = createServer((req, res) => {
    forward(req, res).catch((error) => res.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface Alterable {
  status: number
  text: string
}
