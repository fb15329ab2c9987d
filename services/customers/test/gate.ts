import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that a test can cut (connections end, new ones are refused) or stop (nothing passes any more). */
export async function createGate(url: string): Promise<Gate> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'stopped' = 'open'

  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => {
        if (state === 'open') to.write(chunk)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const gated = new URL(url)
  gated.hostname = '127.0.0.1'
  gated.port = String((server.address() as AddressInfo).port)

  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: gated.href,
    cut() {
      state = 'cut'
      cutAll()
    },
    stop() {
      state = 'stopped'
    },
    open() {
      // What was swallowed is lost, so connections from before would never make sense again.
      if (state === 'stopped') cutAll()
      state = 'open'
    },
    async close() {
      cutAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Gate {
  /** The address of the server, by way of the gate. */
  url: string
  cut(): void
  stop(): void
  open(): void
  close(): Promise<void>
}
