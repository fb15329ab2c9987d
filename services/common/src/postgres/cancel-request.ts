import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { type ConnectionOptions, connect as connectTls, TLSSocket } from 'node:tls'
import type pg from 'pg'
import { streamOf } from './client-stream.ts'

/**
 * Cancels the statement that the client is running, with a cancel request of the protocol. Unlike
 * `pg_cancel_backend`, it names the client's connection instead of a process, so poolers translate it: PgBouncer forwards it
 * only while a statement of that client runs, and otherwise ignores it.
 *
 * Resolves when the server has handled the request. Nothing happens if the statement has already ended.
 * @throws Error if that is unknown: the request may still cancel the next statement on the connection
 */
export async function requestCancellation(client: pg.PoolClient): Promise<void> {
  const { address, tls, key } = targetOf(client)
  let socket = connectTcp(address).on('error', ignore)
  // Limits each wait rather than destroying the socket: one that the server has closed emits no further event.
  const signal = AbortSignal.timeout(maxMs)
  try {
    await once(socket, 'connect', { signal })
    if (tls) socket = await upgradeToTls(socket, tls, signal)
    // The server closes the connection as soon as it has signaled the process.
    const closed = once(socket, 'close', { signal })
    socket.resume().write(message(cancelCode, ...key))
    const [hadError] = await closed
    if (hadError) throw new Error('The connection of the cancel request broke.')
  } finally {
    socket.destroy()
  }
}

const maxMs = 2000
const cancelCode = 80_877_102
const tlsCode = 80_877_103

/** A message before the start of a session: its length, then 32-bit numbers. */
function message(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length)
  for (const [index, number] of [bytes.length, ...numbers].entries()) bytes.writeInt32BE(number, 4 * index)
  return bytes
}

async function upgradeToTls(plain: Socket, options: ConnectionOptions, signal: AbortSignal): Promise<Socket> {
  plain.write(message(tlsCode))
  const [response] = await once(plain, 'data', { signal })
  if (String(response) !== 'S') throw new Error('The server refused TLS for a cancel request.')
  const socket = connectTls({ ...options, socket: plain }).on('error', ignore)
  await once(socket, 'secureConnect', { signal })
  return socket
}

/** The address that the client is connected to, not a name: with several servers, only that one knows the key. */
function targetOf(client: pg.PoolClient): Target {
  const stream = streamOf(client)
  if (
    !stream ||
    !('processID' in client && typeof client.processID === 'number') ||
    !('secretKey' in client && typeof client.secretKey === 'number') ||
    !('host' in client && typeof client.host === 'string') ||
    !('port' in client && typeof client.port === 'number' && 'ssl' in client)
  ) {
    throw new Error('The connection has no cancel key.')
  }
  const { processID, secretKey, host, port, ssl } = client
  const isUnix = host.startsWith('/')
  return {
    address: isUnix ? { path: `${host}/.s.PGSQL.${port}` } : { host: stream.remoteAddress ?? host, port },
    tls:
      stream instanceof TLSSocket ? { host, ...(isIP(host) === 0 && { servername: host }), ...Object(ssl) } : undefined,
    key: [processID, secretKey],
  }
}

function ignore(): void {}

interface Target {
  address: TcpNetConnectOpts | { path: string }
  /** Undefined if the client does not use TLS. */
  tls: ConnectionOptions | undefined
  key: readonly [processID: number, secretKey: number]
}
