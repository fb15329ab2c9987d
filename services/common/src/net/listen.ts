import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Starts listening.
 * @param address port 0 picks a free port
 * @returns the port
 * @throws the error of the operating system, such as EADDRINUSE
 */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
