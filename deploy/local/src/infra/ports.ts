import { createServer } from 'node:net'
import { SetupError } from '../../bootstrap/setup-error.mjs'

/**
 * Returns a free port of the loopback interface, and never the same one twice: until its server listens, a port looks
 * free to other callers. Ports lie below the range of outgoing connections, so a restarted server finds its port still
 * free. Each test worker has a separate range.
 */
export async function freePort(): Promise<number> {
  if (returned.size > portsPerRange / 2) returned.clear()
  const first = 15_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % ranges) * portsPerRange
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = first + Math.floor(Math.random() * portsPerRange)
    if (returned.has(port)) continue
    returned.add(port)
    if (await isPortFree(port, '127.0.0.1')) return port
  }
  throw new SetupError(`No free port found on 127.0.0.1 between ${first} and ${first + portsPerRange}.`)
}

/** Keeps `freePort` from returning a port that something else will use. */
export function reservePort(port: number): void {
  returned.add(port)
}

const ranges = 15
const portsPerRange = 1000
const returned = new Set<number>()

/** The requested port, which must be free, or any free port when none is requested. */
export async function choosePort(server: string, requested: number | undefined): Promise<number> {
  if (requested === undefined) return await freePort()
  if (await isPortFree(requested, '127.0.0.1')) return requested
  throw new SetupError(`${server} cannot listen on 127.0.0.1:${requested}: the port is already in use.`)
}

/** The first free port among the hundred above `port`. */
export async function nextFreePort(port: number, host: string): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + 100, 65_535); next++) {
    if (await isPortFree(next, host)) return next
  }
  return undefined
}

export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
