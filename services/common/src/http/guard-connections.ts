import type { RequestListener, Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Counter } from '../telemetry/index.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { addressGroup, isTrustedProxy, socketAddress } from './peer-address.ts'
import { createUnsentResponses } from './unsent-responses.ts'

/**
 * Bounds the memory that clients can occupy, whether or not they are authenticated: connections per address, requests that
 * are sent ahead of the responses, and responses that are not read. Connections of trusted proxies are not counted, since a proxy
 * shares them among all of its clients; `limitConcurrency` counts the requests of those.
 *
 * @returns the listener for the requests of the server
 */
export function guardConnections(server: Server, handle: RequestListener, ctx: GuardContext): RequestListener {
  const { maxPerAddress, maxUnsentBytes, writeTimeoutMs } = ctx.config.connections
  const { trustedProxies } = ctx.config.http
  const concurrency = createConcurrencyLimit(maxPerAddress)
  const unsent = createUnsentResponses({
    timeoutMs: writeTimeoutMs,
    maxBytes: maxUnsentBytes,
    cutOff: ({ socket }, reason) => closeNow(socket, reason),
  })

  const requests = oneAtATime((req, res) => {
    res.once('prefinish', () => unsent.watch(res))
    handle(req, res)
  })

  server.on('connection', (socket: Socket) => {
    requests.accept(socket)
    const address = socketAddress(socket)
    if (isTrustedProxy(address, trustedProxies)) return
    const leave = concurrency.enter(addressGroup(address))
    if (leave) socket.once('close', leave)
    else closeNow(socket, 'address-limit')
  })

  /** A reset also discards what the kernel has buffered for the client. */
  function closeNow(socket: Socket | null, reason: string): void {
    ctx.metrics.closedConnections.inc({ reason })
    socket?.resetAndDestroy()
  }

  return requests.handle
}

export interface ConnectionsConfig {
  /** Open connections per client address; for clients of a trusted proxy, concurrent requests instead. */
  maxPerAddress: number
  /** Responses that clients have not read yet, over all connections. */
  maxUnsentBytes: number
  /** Request bodies that have not arrived completely, over all connections (`createBodyReader`). */
  maxUnfinishedBytes: number
  /** Time for a client to read a response. */
  writeTimeoutMs: number
  /** Time for the headers of a request to arrive. */
  headersTimeoutMs: number
}

export interface GuardContext {
  /** `trustedProxies`: peers whose X-Forwarded-For is trusted. */
  config: { connections: ConnectionsConfig; http: { trustedProxies: BlockList } }
  /** Counts by `reason`: see `closedConnectionReasons`. */
  metrics: { closedConnections: Counter }
}

export const closedConnectionReasons = ['address-limit', 'write-timeout', 'unsent-bytes']
