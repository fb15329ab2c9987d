import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log/index.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { connect, type Login, type RedisClient } from './connect.ts'
import { type Directory, type Locations, nameOf } from './locations.ts'

/**
 * Keeps a connection to each server that a directory names, and follows the servers when they move: it looks them up every
 * five seconds, and up to four times per second after an error or while one of them is unavailable.
 *
 * Each connection has its own circuit breaker, so that an unresponsive node of a Cluster costs only its slots.
 */
export function openServers({ directory, url, commandTimeoutMs, log }: ServersOptions): Servers {
  const connections = new Map<string, Connection>()
  const followers: Follower[] = []
  let locations: Locations = { servers: [], ownerOf: () => undefined }
  let isClosed = false
  let isRefreshing = false
  let hasLoggedFailure = false
  let timer: NodeJS.Timeout | undefined
  let refreshAt = 0

  function refreshWithin(ms: number): void {
    const at = performance.now() + ms
    if (isClosed || isRefreshing || at >= refreshAt) return
    refreshAt = at
    clearTimeout(timer)
    timer = setTimeout(refresh, ms)
    timer.unref()
  }
  const onFailure = () => refreshWithin(retryMs * (0.75 + Math.random() / 2))

  async function refresh(): Promise<void> {
    isRefreshing = true
    try {
      const found = await directory.find()
      if (!isClosed) moveTo(found)
      hasLoggedFailure = false
    } catch (error) {
      if (!hasLoggedFailure) log.warn({ err: error }, 'redis server lookup failed: retrying')
      hasLoggedFailure = true
    }
    isRefreshing = false
    refreshAt = Number.POSITIVE_INFINITY
    refreshWithin(isConnected() ? watchMs : retryMs * (1 + Math.random()))
  }

  function moveTo(found: Locations): void {
    locations = found
    const names = new Set(found.servers.map(nameOf))
    for (const [name, connection] of connections) {
      if (names.has(name)) continue
      connection.client.destroy()
      connections.delete(name)
    }
    for (const server of found.servers) {
      if (connections.has(nameOf(server))) continue
      const client = connect(server, { url, log, onFailure })
      connections.set(nameOf(server), { client, breaker: createCircuitBreaker(commandTimeoutMs) })
    }
    for (const follower of followers) follow(follower)
  }

  function follow(follower: Follower): void {
    const owner = locations.ownerOf(follower.slot)
    if (!owner || nameOf(owner) === follower.server) return
    follower.client?.destroy()
    follower.server = nameOf(owner)
    follower.client = connect(owner, { url, log, onFailure })
    follower.onConnection(follower.client)
  }

  function isConnected(): boolean {
    return connections.size > 0 && [...connections.values()].every(({ client }) => client.isReady)
  }

  /** Follows one redirection, which a Cluster sends while slots move. */
  async function redirect<T>(error: unknown, send: Send<T>): Promise<T> {
    onFailure()
    const [, kind, server = ''] = /^(MOVED|ASK) \d+ (\S+)$/.exec(error instanceof Error ? error.message : '') ?? []
    const target = connections.get(server)
    if (!target) throw error
    return await target.breaker.run(() => {
      // Allows the next command of the connection only, so nothing may come between them.
      const isAsking = kind === 'ASK'
      if (isAsking) target.client.sendCommand(['ASKING']).catch(() => {})
      return send(target.client, isAsking)
    })
  }

  async function sendOnce<T>(slot: number, send: Send<T>): Promise<T> {
    const owner = locations.ownerOf(slot)
    const connection = owner && connections.get(nameOf(owner))
    if (!connection) throw new Error('The Redis server of the key is unknown.')
    const { client, breaker } = connection
    return await breaker.run(() => send(client, false)).catch((error: unknown) => redirect(error, send))
  }

  void refresh()

  return {
    slotOf: directory.slotOf,
    isReady: () => isConnected() && [...connections.values()].every(({ breaker }) => !breaker.isOpen()),
    async send(slot, send) {
      const end = performance.now() + moveTimeouts * commandTimeoutMs
      for (;;) {
        try {
          return await sendOnce(slot, send)
        } catch (error) {
          if (!isSplit(error) || isClosed || performance.now() >= end) throw error
        }
        await sleep(splitRetryMs)
      }
    },
    follow(slot, onConnection) {
      const follower = { slot, onConnection }
      followers.push(follower)
      follow(follower)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const { client } of connections.values()) client.destroy()
      for (const { client } of followers) client?.destroy()
    },
  }
}

/** Neither server of a slot that moves has all keys of the command yet. */
function isSplit(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('TRYAGAIN')
}

/** How long to wait until one server has all keys of a command, in command timeouts. */
const moveTimeouts = 4
const splitRetryMs = 10

/** How long a move that no error reveals stays unnoticed, such as a former master that still accepts connections. */
const watchMs = 5000
const retryMs = 250

export interface Servers {
  slotOf(key: string): number
  /** Whether all servers are connected and responding. */
  isReady(): boolean
  /** Sends a command to the owner of a slot, through its circuit breaker. `send` is called again after a redirection. */
  send<T>(slot: number, send: Send<T>): Promise<T>
  /** Keeps a separate connection to the owner of a slot. `onConnection` receives the client, and another one after a move. */
  follow(slot: number, onConnection: (client: RedisClient) => void): void
  close(): void
}

/** @param isAsking whether the server accepts the first command only, because the slot is still moving to it */
export type Send<T> = (client: RedisClient, isAsking: boolean) => Promise<T>

interface ServersOptions {
  directory: Directory
  url: Login
  commandTimeoutMs: number
  log: Logger
}

interface Connection {
  client: RedisClient
  breaker: ReturnType<typeof createCircuitBreaker>
}

interface Follower {
  slot: number
  onConnection: (client: RedisClient) => void
  /** The server that the client is connected to. */
  server?: string
  client?: RedisClient
}
