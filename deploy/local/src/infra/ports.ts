import { createServer } from 'node:net'
import { SetupError } from '../../bootstrap/setup-error.mjs'

/**
 * A port of the loopback interface that nobody listens on. It lies below the range from which systems take the
 * ports of outgoing connections, so that a server stopped and started again finds its port still free. None is
 * answered twice, and test workers that run at a time take theirs from ranges of their own: between this answer and
 * the moment at which a server listens, the port looks free to all others.
 */
export async function freePort(): Promise<number> {
  if (answered.size > portsPerRange / 2) answered.clear()
  const first = 15_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % ranges) * portsPerRange
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = first + Math.floor(Math.random() * portsPerRange)
    if (answered.has(port)) continue
    answered.add(port)
    if (await isPortFree(port, '127.0.0.1')) return port
  }
  throw new SetupError(`No free port was found on 127.0.0.1 between ${first} and ${first + portsPerRange}.`)
}

const ranges = 15
const portsPerRange = 1000
const answered = new Set<number>()

/** The wished port, if nobody listens on it, else a free one where none is wished. */
export async function choosePort(server: string, wished: number | undefined): Promise<number> {
  if (wished === undefined) return await freePort()
  if (await isPortFree(wished, '127.0.0.1')) return wished
  throw new SetupError(`${server} cannot listen on 127.0.0.1:${wished}: the port is taken.`)
}

export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
