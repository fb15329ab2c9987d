import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { GatewayContext } from '../context.ts'
import { addressGroup, isTrustedProxy, socketAddress } from '../limits/peer-address.ts'
import { createConcurrency } from './concurrency.ts'
import { oneAtATime } from './one-at-a-time.ts'
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
  const concurrency = createConcurrency(maxPerAddress)
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

type GuardContext = Pick<GatewayContext, 'config' | 'metrics'>
