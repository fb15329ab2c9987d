import { connect, createServer, type Socket } from 'node:net'

/** Starts a proxy of a server that delays what the server sends by `delayMs`, without limiting its rate. */
export async function startSlowLink(target: string, delayMs: number): Promise<SlowLink> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      sockets.add(socket)
    }
    client.pipe(server)
    server.on('data', (chunk) => void setTimeout(() => client.write(chunk), delayMs))
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  const url = new URL(target)
  url.host = `127.0.0.1:${address.port}`
  return {
    url: url.href,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

export interface SlowLink {
  url: string
  close(): void
}
