import { createSocket } from 'node:dgram'
import { isPortFree, isTaken } from '../../bootstrap/ports.mjs'
import { SetupError } from '../../bootstrap/setup-error.mjs'

/**
 * Returns a free port of the loopback interface, which this function returns to no other process while this one runs:
 * until its server listens, and while it restarts, a port looks free to others. Ports lie below the range of outgoing
 * connections, so a restarted server finds its port still free.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const port = firstPort + Math.floor(Math.random() * ports)
    if ((await reservePort(port)) && (await isPortFree(port, '127.0.0.1'))) return port
  }
  throw new SetupError(`No free port found on 127.0.0.1 between ${firstPort} and ${firstPort + ports}.`)
}

/**
 * Keeps `freePort` from returning a port that something else will use, in every process on this machine. A UDP socket of the
 * same number marks the port: the system allows only one, removes it with the process, and our servers use TCP.
 * @returns false if the port is already reserved
 * @throws for any other reason, such as too many open files
 */
export async function reservePort(port: number): Promise<boolean> {
  const mark = createSocket('udp4').unref()
  try {
    await new Promise<void>((resolve, reject) => {
      mark.once('error', reject)
      mark.bind({ port, address: '127.0.0.1', exclusive: true }, resolve)
    })
    return true
  } catch (error) {
    mark.close()
    if (isTaken(error)) return false
    throw error
  }
}

const firstPort = 15_000
const ports = 15_000

/** The requested port, which must be free, or any free port when none is requested. */
export async function choosePort(server: string, requested: number | undefined): Promise<number> {
  if (requested === undefined) return await freePort()
  if (await isPortFree(requested, '127.0.0.1')) return requested
  throw new SetupError(`${server} cannot listen on 127.0.0.1:${requested}: the port is already in use.`)
}
