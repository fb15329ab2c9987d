import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Counter } from '../telemetry/index.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import { addressGroup, isTrustedProxy, socketAddress } from './peer-address.ts'
import { createUnsentResponses } from './unsent-responses.ts'

/**
 * Bounds the memory that clients can occupy, whether or not they are authenticated: connections per address, requests that
 * are sent ahead of the responses, and responses that are not read. Connections of trusted proxies are not counted, since a proxy
 * shares them among all of its clients; `limitConcurrency` counts the requests of those.
 *
 * @returns the listener for the requests of the server
 */
export function guardConnections(server: Server, handle: GuardedListener, ctx: GuardContext): RequestListener {
  const { maxPerAddress, maxUnsentBytes, writeTimeoutMs } = ctx.config.connections
  const { trustedProxies } = ctx.config.http
  const concurrency = createConcurrencyLimit(maxPerAddress)
  const unsent = createUnsentResponses({
    timeoutMs: writeTimeoutMs,
    maxBytes: maxUnsentBytes,
    cutOff: ({ socket }, reason) => closeNow(socket, reason),
  })

  server.on('connection', (socket: Socket) => {
    const address = socketAddress(socket)
    if (isTrustedProxy(address, trustedProxies)) return
    const leave = concurrency.enter(addressGroup(address))
    if (leave) socket.once('close', leave)
    else closeNow(socket, 'address-limit')
  })

  /** A reset also discards what the kernel has buffered for the client. */
  function closeNow(socket: Socket | null, reason: ClosedConnectionReason): void {
    ctx.metrics.closedConnections.inc({ reason })
    socket?.resetAndDestroy()
  }

  return oneAtATime(
    (req, res) => handle(req, res, () => unsent.watch(res)),
    (socket) => closeNow(socket, 'pipelined-requests'),
  )
}

/**
 * Handles the requests of a connection one after another, each when the response to the previous one is sent, because Node would
 * start all of them and keep each response in memory until the client has read the earlier ones. Calls `onTooMany` for a client that
 * sends too many requests ahead. Node still parses requests that arrived with them, up to 64 KiB.
 */
function oneAtATime(handle: RequestListener, onTooMany: (socket: Socket) => void): RequestListener {
  /** The requests of each connection without a response; the first one is being handled. */
  const unanswered = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>()

  function handleFirst(requests: [IncomingMessage, ServerResponse][]): void {
    const [req, res] = requests[0] ?? []
    // After `Connection: close` and on a closed connection, Node gives the next response no socket.
    if (!req || !res?.socket) return
    res.once('close', () => {
      requests.shift()
      handleFirst(requests)
    })
    handle(req, res)
  }

  return (req, res) => {
    const { socket } = req
    let requests = unanswered.get(socket)
    if (requests === undefined) {
      requests = []
      unanswered.set(socket, requests)
    }
    if (requests.length < maxUnanswered) requests.push([req, res])
    else if (!socket.destroyed) onTooMany(socket)
    if (requests.length === 1) handleFirst(requests)
  }
}

/** Per connection. Clients that pipeline at all send fewer. */
const maxUnanswered = 8

/** Calls `onEnd` after `res.end`. Node itself emits no documented event before the client has read most of the response. */
type GuardedListener = (req: IncomingMessage, res: ServerResponse, onEnd: () => void) => void

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

export const closedConnectionReasons = ['address-limit', 'pipelined-requests', 'write-timeout', 'unsent-bytes'] as const

type ClosedConnectionReason = (typeof closedConnectionReasons)[number]
