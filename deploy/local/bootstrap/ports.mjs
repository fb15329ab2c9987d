import { createServer } from 'node:net'
import { SetupError } from './setup-error.mjs'

/**
 * @param {'PORT' | 'PAGES_PORT' | 'DEMO_PORT' | 'MAILBOX_PORT'} name
 * @param {number} port
 * @param {string} host
 * @throws {SetupError} that names a free port
 */
export async function assertPortFree(name, port, host) {
  if (await isPortFree(port, host)) return
  const free = await nextFreePort(port, host)
  const remedy = free === undefined ? `set ${name} to another one` : `choose another: ${name}=${free} npm start`
  throw new SetupError(`Port ${port} on ${host} is already in use. Stop whatever uses it, or ${remedy}`)
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>}
 * @throws if this cannot be determined, such as for an address that the machine does not have
 */
export function isPortFree(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => (isTaken(error) ? resolve(false) : reject(error)))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/**
 * The system reserves some ports for itself, which is reported as a missing right.
 * @param {unknown} error
 */
export function isTaken(error) {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}

/**
 * The first free port among the hundred above `port`.
 * @param {number} port
 * @param {string} host
 */
async function nextFreePort(port, host) {
  for (let next = port + 1; next <= Math.min(port + 100, 65_535); next++) {
    if (await isPortFree(next, host)) return next
  }
  return undefined
}
