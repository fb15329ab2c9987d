import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to Redis that a test can cut (closes and refuses connections) or stop (forwards nothing). */
export async function createRedisGate(url: string): Promise<RedisGate> {
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
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next) {
      if (next === 'cut' || state === 'stopped') drop()
      state = next
    },
    async close() {
      drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface RedisGate {
  url: string
  set(state: 'open' | 'cut' | 'stopped'): void
  close(): Promise<void>
}
