import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Starts a proxy that can simulate outages: `delay` delays every response, `stall` blocks both directions while connections
 * stay open, `cut` closes connections and rejects new ones, `pass` restores normal operation.
 */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<[Socket, Socket]>()
  let mode: 'pass' | 'stall' | 'cut' = 'pass'
  let delayMs = 0

  const server = createServer((inside) => {
    if (mode === 'cut') return void inside.destroy()
    const outside = connect(Number(port), hostname)
    const pair: [Socket, Socket] = [inside, outside]
    pairs.add(pair)
    inside.on('data', (bytes) => outside.write(bytes))
    const delayed: (string | Buffer)[] = []
    const writeNext = () => inside.write(delayed.shift() ?? '')
    outside.on('data', (bytes) => {
      delayed.push(bytes)
      if (delayMs > 0 || delayed.length > 1) setTimeout(writeNext, delayMs)
      else writeNext()
    })
    for (const [from, to] of [pair, [outside, inside]] as const) {
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
      if (mode === 'stall') from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(target)
  address.hostname = '127.0.0.1'
  address.port = String((server.address() as AddressInfo).port)

  const proxy: TcpProxy = {
    url: address.href,
    delay(ms) {
      proxy.pass()
      delayMs = ms
    },
    pass() {
      mode = 'pass'
      delayMs = 0
      for (const socket of [...pairs].flat()) socket.resume()
    },
    stall() {
      mode = 'stall'
      for (const socket of [...pairs].flat()) socket.pause()
    },
    cut() {
      mode = 'cut'
      for (const socket of [...pairs].flat()) socket.destroy()
    },
    connections: () => pairs.size,
    async close() {
      proxy.cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}

export interface TcpProxy {
  /** The URL of the target with the port of the proxy. */
  url: string
  delay(ms: number): void
  pass(): void
  stall(): void
  cut(): void
  /** The number of open connections. */
  connections(): number
  close(): Promise<void>
}
