import { createServer } from 'node:net'
import { SetupError } from '../setup-error.ts'

/**
 * A port of the loopback interface that nobody listens on. It lies below the range from which systems take the
 * ports of outgoing connections, so that a server stopped and started again finds its port still free.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    if (await isPortFree(port, '127.0.0.1')) return port
  }
  throw new SetupError('No free port was found on 127.0.0.1 between 15000 and 30000.')
}

export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
